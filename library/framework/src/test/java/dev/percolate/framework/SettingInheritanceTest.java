package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.ETagFunction;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests that mounted applications and groups inherit each setting that they do not set. */
final class SettingInheritanceTest {

  private final App app = new App();
  private final App inner = new App();

  /** A non-default value for each setting of the library. */
  private static Map<String, Object> others() {
    Map<String, Object> values = new TreeMap<>();
    for (String flag :
        List.of(
            "case sensitive routing",
            "check responses",
            "dotted folders",
            "exact auth scheme",
            "exact body names",
            "json cookies",
            "json escape",
            "json lenient",
            "session resave",
            "session save uninitialized",
            "strict routing",
            "view cache",
            "x-powered-by")) {
      values.put(flag, true);
    }
    values.put("ambiguous targets", "refuse");
    values.put("conditional requests", "express");
    values.put("content negotiation", "express");
    values.put("cookie session name", "own");
    values.put("cookie signature", "both");
    values.put("env", "staging");
    values.put("etag", "strong");
    values.put("etag hash", "md5");
    values.put("slow request warning", Duration.ofSeconds(9));
    values.put("header encoding", "latin1");
    values.put("json replacer", List.of("id"));
    values.put("json spaces", 7);
    values.put("jsonp callback name", "cb");
    values.put("lint ignore", "unreachable-route");
    values.put("logged response", "set");
    values.put("mime types", Map.of("x", "text/x"));
    values.put("powered by", "Shop");
    values.put("server options", false);
    values.put("session name", "own");
    values.put("session overlap", Duration.ofSeconds(1));
    values.put("session same site", "strict");
    values.put("stack traces", "none");
    values.put("stream limit", 1L);
    values.put("subdomain offset", 1);
    values.put("title", "Shop");
    values.put("trust proxy", "loopback");
    values.put("view engine", "html");
    values.put("views", "elsewhere");
    return values;
  }

  @Test
  void anApplicationHasNoValueOfItsOwn() {
    assertEquals(new TreeSet<>(), new App().settings().names());
    app.group("/g", group -> assertEquals(new TreeSet<>(), group.settings().names()));
  }

  @Test
  void eachSettingIsInheritedHoweverDeepAndWheneverItIsSet() {
    App deepest = new App();
    inner.use("/deep", deepest);
    app.use("/in", inner);
    others()
        .forEach(
            (name, value) -> {
              app.set(name, value);
              assertEquals(value, inner.get(name), name);
              assertEquals(value, deepest.get(name), name);
            });
  }

  @Test
  void allSettingsAreTested() {
    TreeSet<String> tried = new TreeSet<>(others().keySet());
    tried.addAll(List.of("conversions", "json codec", "own defaults", "validation"));
    assertEquals(Settings.known(), tried);
  }

  @Test
  void anOwnValueOverrides() {
    app.use("/in", inner);
    app.set("etag", false).set("json spaces", 0).set("env", "production");
    inner.set("etag", "strong").set("json spaces", null);
    assertEquals("strong", inner.get("etag"));
    assertNull(inner.get("json spaces"));
    assertEquals("production", inner.get("env"));
  }

  @Test
  void entityTagsFollowTheOutermostApplication() {
    app.set("etag", (ETagFunction) (body, charset) -> "\"own\"");
    app.group("/g", group -> group.get("/b", (req, res) -> res.send("text")));
    Reply reply = play(Call.get("/g/b"), app);
    assertEquals("\"own\"", reply.header("ETag"));
    app.set("etag", false);
    assertNull(play(Call.get("/g/b"), app).header("ETag"));
  }

  @Test
  void viewsAreFoundInTheDirectoryOfTheOutermostApplication() {
    app.set("views", "elsewhere").use("/in", inner);
    assertEquals("elsewhere", inner.get(AppSettings.VIEWS));
  }

  @Test
  void withOwnDefaultsAMountedApplicationKeepsItsDefaults() {
    app.set(AppSettings.express()).set("etag", false).set("json spaces", 7);
    app.set("trust proxy", true).set("title", "Shop");
    inner.set("subdomain offset", 1);
    app.use("/in", inner);
    assertEquals("weak", inner.get("etag"));
    assertEquals(1, inner.get("subdomain offset"));
    assertEquals("callback", inner.get("jsonp callback name"));
    assertEquals(AppSettings.DEFAULT_VIEWS, inner.get("views"));
    assertEquals(true, inner.get("trust proxy"));
    assertEquals("Shop", inner.get("title"));
  }
}
