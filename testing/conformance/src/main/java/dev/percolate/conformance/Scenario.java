package dev.percolate.conformance;

import dev.percolate.core.JsonCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds a scenario as it was recorded.
 *
 * @param id area, slash, name
 * @param env the environment mode
 * @param files what lies in the folder, by path
 * @param app the steps that build the application
 * @param requests what is sent
 * @param ignore what is not compared
 * @param expect what comes back
 * @param log the lines of loggers and log statements
 */
record Scenario(
    String id,
    String env,
    Map<String, @Nullable Object> files,
    List<@Nullable Object> app,
    List<@Nullable Object> requests,
    Set<String> ignore,
    List<@Nullable Object> expect,
    List<@Nullable Object> log) {

  /**
   * Reads the scenarios of a file.
   *
   * @throws IllegalArgumentException if the file holds none, or two with one id
   */
  static List<Scenario> read(Path file) throws IOException {
    List<@Nullable Object> all = ScriptValues.list(JsonCodec.find().read(Files.readString(file)));
    List<Scenario> scenarios = all.stream().map(one -> of(ScriptValues.map(one))).toList();
    Set<String> ids = new HashSet<>();
    for (Scenario scenario : scenarios) {
      if (!ids.add(scenario.id)) {
        throw new IllegalArgumentException(file + ": two scenarios are called " + scenario.id);
      }
    }
    return scenarios;
  }

  /** Returns this scenario with other answers expected, and no log. */
  Scenario expecting(List<@Nullable Object> answers) {
    return new Scenario(id, env, files, app, requests, ignore, answers, List.of());
  }

  String area() {
    int slash = id.indexOf('/');
    return slash < 0 ? id : id.substring(0, slash);
  }

  private static Scenario of(Map<String, @Nullable Object> json) {
    List<@Nullable Object> none = List.of();
    Map<String, @Nullable Object> noFiles = Map.of();
    Object ignore = json.getOrDefault("ignore", none);
    return new Scenario(
        (String) ScriptValues.orUndefined(json.get("id")),
        ScriptValues.text(json.getOrDefault("env", "test")),
        ScriptValues.map(json.getOrDefault("files", noFiles)),
        ScriptValues.list(json.getOrDefault("app", none)),
        ScriptValues.list(json.getOrDefault("requests", none)),
        Set.copyOf(ScriptValues.list(ignore).stream().map(String::valueOf).toList()),
        ScriptValues.list(json.getOrDefault("expect", none)),
        ScriptValues.list(json.getOrDefault("log", none)));
  }
}
