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
 * A recorded scenario.
 *
 * @param id the area, a slash, and a name
 * @param env the environment mode
 * @param files the files of the directory, by path
 * @param app the steps that build the application
 * @param requests the requests
 * @param ignore the parts of responses that are not compared
 * @param expect the expected responses
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
   * @throws IllegalArgumentException if the file contains no scenarios, or two with the same ID
   */
  static List<Scenario> read(Path file) throws IOException {
    List<@Nullable Object> all = ScriptValues.list(JsonCodec.find().read(Files.readString(file)));
    List<Scenario> scenarios = all.stream().map(one -> of(ScriptValues.map(one))).toList();
    Set<String> ids = new HashSet<>();
    for (Scenario scenario : scenarios) {
      if (!ids.add(scenario.id)) {
        throw new IllegalArgumentException(file + ": duplicate scenario " + scenario.id);
      }
    }
    return scenarios;
  }

  /** Returns a copy with other expected responses and without a log. */
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
