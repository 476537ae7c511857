package dev.percolate.conformance;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.engine.Service;
import dev.percolate.framework.AppSettings;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.CookieParser;
import dev.percolate.testkit.TestExchange;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Runs trials with this project. Results have the text format of {@code reference/beside.mjs}. */
final class OwnAnswers {

  private static final int MOST_MADE = 1000;
  private static final Key<Boolean> UNSET = Key.of("unset", Boolean.class);

  private final Map<String, Service> made = new HashMap<>();
  private String answer = "";

  String answer(Trial trial) {
    answer = "";
    String key = trial.kind() + trial.options();
    if (made.size() > MOST_MADE) {
      made.clear();
    }
    try {
      made.computeIfAbsent(key, unknown -> service(trial)).serve(exchange(trial));
    } catch (IllegalArgumentException e) {
      return json(Map.of("setup", OriginalTexts.of(e)));
    }
    return answer;
  }

  private Service service(Trial trial) {
    Object secret = trial.options().get("secret");
    Middleware step =
        switch (trial.kind()) {
          case "cookies" ->
              secret instanceof String text ? CookieParser.of(text) : CookieParser.of();
          case "query" -> (req, res, next) -> next.run();
          default -> ParserForm.make(trial.kind(), trial.options());
        };
    Middleware before =
        (req, res, next) -> {
          RequestControl.body(req, UNSET);
          next.run();
        };
    Middleware after =
        (req, res, next) -> {
          answer = success(trial.kind(), req);
          res.end();
        };
    ErrorHandler failed =
        (error, req, res, next) -> {
          answer = failure(error);
          res.end();
        };
    return Chain.service(AppSettings.express().set("env", "test"), before, step, after, failed);
  }

  private static TestExchange exchange(Trial trial) {
    TestExchange exchange = TestExchange.of("POST", trial.url());
    trial.sentHeaders().forEach(exchange::header);
    trial.pieces().forEach(exchange::chunk);
    return exchange;
  }

  private static String success(String kind, Request req) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    switch (kind) {
      case "cookies" -> {
        map.put("cookies", plain(req.cookies()));
        map.put("signed", plain(req.signedCookies()));
      }
      case "query" -> map.put("query", plain(req.query()));
      default -> {
        boolean unset = req.body() == UNSET;
        map.put(unset ? "unset" : "body", unset ? true : plain(req.body()));
      }
    }
    return json(map);
  }

  private static String failure(Throwable error) {
    if (!(error instanceof HttpError known)) {
      return "thrown: " + error;
    }
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    String type = known.type();
    map.put("status", known.status());
    map.put("type", type == null ? JsonCodec.ABSENT : type);
    map.put("expose", known.expose());
    boolean told = type != null && !type.equals("entity.parse.failed");
    map.put("message", told ? known.getMessage() : JsonCodec.ABSENT);
    for (String name : List.of("charset", "encoding", "limit", "length", "expected", "body")) {
      Map<String, @Nullable Object> fields = known.fields();
      map.put(name, fields.containsKey(name) ? plain(fields.get(name)) : JsonCodec.ABSENT);
    }
    return json(map);
  }

  /** Returns a value with maps in JavaScript's order: names that are indices come first. */
  static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return Map.of("base64", Base64.getEncoder().encodeToString(bytes));
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> items = new ArrayList<>(list.size());
      list.forEach(item -> items.add(plain(item)));
      return items;
    }
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    TreeMap<Long, @Nullable Object> indices = new TreeMap<>();
    Map<String, @Nullable Object> others = new LinkedHashMap<>();
    map.forEach(
        (name, item) -> {
          String text = String.valueOf(name);
          if (isIndex(text)) {
            indices.put(Long.valueOf(text), plain(item));
          } else {
            others.put(text, plain(item));
          }
        });
    Map<String, @Nullable Object> ordered = new LinkedHashMap<>();
    indices.forEach((index, item) -> ordered.put(index.toString(), item));
    ordered.putAll(others);
    return ordered;
  }

  static boolean isIndex(String name) {
    boolean digits = !name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9');
    boolean leadingZero = name.length() > 1 && name.startsWith("0");
    return digits && !leadingZero && name.length() <= 10 && Long.parseLong(name) < 0xFFFFFFFFL;
  }

  private static String json(Map<String, @Nullable Object> map) {
    return JsonCodec.find().write(map, JsonCodec.WriteOptions.COMPACT);
  }
}
