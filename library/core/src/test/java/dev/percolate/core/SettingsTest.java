package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  private final Settings settings = new Settings();
  private final Settings parent = new Settings();
  private @Nullable String before;

  @BeforeEach
  void rememberEnv() {
    before = System.getProperty("percolate.env");
  }

  @AfterEach
  void restoreEnv() {
    if (before == null) {
      System.clearProperty("percolate.env");
    } else {
      System.setProperty("percolate.env", before);
    }
  }

  @Test
  void namesAreCaseSensitiveAndAbsentValuesAreNull() {
    settings.set("case sensitive routing", true);
    assertEquals(true, settings.get("case sensitive routing"));
    assertNull(settings.get("Case sensitive routing"));
  }

  @Test
  void nullIsDistinguishedFromAnAbsentValue() {
    settings.parent(parent);
    assertFalse(settings.has("title"));
    parent.set("title", null);
    assertTrue(settings.has("title"));
    assertFalse(settings.has("Title"));
    settings.parent(null);
    assertFalse(settings.has("title"));
    settings.set("title", null);
    assertTrue(settings.has("title"));
  }

  @Test
  void aParentIsReadWhenAValueIsRead() {
    settings.parent(parent);
    assertNull(settings.get("title"));
    parent.set("title", "one");
    assertEquals("one", settings.get("title"));
    parent.set("title", "two");
    assertEquals("two", settings.get("title"));
    settings.parent(null);
    assertNull(settings.get("title"));
  }

  @Test
  void ownValuesHideThoseOfParentsAndDoNotChangeThem() {
    Settings root = new Settings().set("a", 1).set("b", 1).set("c", 1);
    parent.set("a", 2).set("b", 2).parent(root);
    settings.set("a", 3).parent(parent);
    assertEquals(
        List.of(3, 2, 1), Stream.of("a", "b", "c").map(name -> settings.get(name)).toList());
    assertEquals(2, parent.get("a"));
  }

  @Test
  void nullHidesTheValueOfTheParent() {
    parent.set("title", "above");
    settings.parent(parent);
    settings.set("title", null);
    assertNull(settings.get("title"));
    assertFalse(settings.enabled("title"));
  }

  @Test
  void keysAndNamesReferToTheSameValue() {
    Key<Integer> size = Key.of("size", Integer.class, 7);
    assertEquals(7, settings.get(size));
    assertNull(settings.get("size"));
    settings.set("size", 8);
    assertEquals(8, settings.get(size));
    settings.set(size, 9);
    assertEquals(9, settings.get("size"));
  }

  @Test
  void aKeyRejectsAValueOfAnotherTypeByNameTypeAndValue() {
    settings.set("size", "many");
    Key<Long> size = Key.of("size", Long.class, 7L);
    String message =
        assertThrows(IllegalArgumentException.class, () -> settings.get(size).toString())
            .getMessage();
    assertTrue(
        message.contains("size") && message.contains("many") && message.contains("java.lang.Long"),
        message);
  }

  @Test
  void ambiguousTargetsHasThreeValues() {
    assertEquals("normalise", settings.get(Settings.AMBIGUOUS_TARGETS));
    for (String value : List.of("refuse", "pass", "normalise")) {
      settings.set("ambiguous targets", value);
      assertEquals(value, settings.get(Settings.AMBIGUOUS_TARGETS));
    }
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> settings.set("ambiguous targets", "allow"))
            .getMessage();
    assertEquals(
        "set(\"ambiguous targets\", \"allow\"): must be one of normalise, pass, refuse", message);
    assertThrows(IllegalArgumentException.class, () -> settings.set("ambiguous targets", null));
  }

  @Test
  void dottedFoldersIsABoolean() {
    assertEquals(false, settings.get(Settings.DOTTED_FOLDERS));
    settings.set("dotted folders", true);
    assertEquals(true, settings.get(Settings.DOTTED_FOLDERS));
    assertThrows(IllegalArgumentException.class, () -> settings.set("dotted folders", "yes"));
    assertThrows(IllegalArgumentException.class, () -> settings.set("dotted folders", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "true", "ALL", ""})
  void stackTracesHasThreeValues(String value) {
    assertEquals("loopback", settings.get(Settings.STACK_TRACES));
    settings.set("stack traces", "none").set("stack traces", "all").set("stack traces", "loopback");
    String message =
        assertThrows(IllegalArgumentException.class, () -> settings.set("stack traces", value))
            .getMessage();
    assertEquals(
        "set(\"stack traces\", \"" + value + "\"): must be one of loopback, all, none", message);
    assertThrows(IllegalArgumentException.class, () -> settings.set("stack traces", null));
  }

  static List<Object> falseValues() {
    return List.of(false, "", 0, 0L, 0.0, -0.0, Double.NaN);
  }

  @ParameterizedTest
  @MethodSource("falseValues")
  void falseZeroNanAndTheEmptyStringAreNotEnabled(Object value) {
    assertFalse(settings.set("x", value).enabled("x"));
  }

  static List<Object> trueValues() {
    return List.of(true, "false", "0", " ", 1, -1, 0.5, List.of());
  }

  @ParameterizedTest
  @MethodSource("trueValues")
  void everythingElseIsEnabled(Object value) {
    assertTrue(settings.set("x", value).enabled("x"));
  }

  @Test
  void anAbsentValueIsNotEnabledUnlessAParentEnablesIt() {
    assertFalse(settings.enabled("x"));
    settings.parent(parent.set("x", 1));
    assertTrue(settings.enabled("x"));
  }

  @Test
  void derivedIsComputedOnceAndAgainAfterAChange() {
    List<Object> compiled = new ArrayList<>();
    settings.set("x", "one");
    Object first = derived(settings, compiled);
    assertSame(first, derived(settings, compiled));
    settings.set("x", "two");
    Object second = derived(settings, compiled);
    assertNotSame(first, second);
    assertSame(second, derived(settings, compiled));
    assertEquals(List.of("one", "two"), compiled);
  }

  @Test
  void derivedIsComputedAgainAfterAChangeOfTheParent() {
    List<Object> compiled = new ArrayList<>();
    settings.parent(parent);
    derived(settings, compiled);
    parent.set("x", "one");
    derived(settings, compiled);
    assertEquals(List.of("null", "one"), compiled);
  }

  @Test
  void aChangeOfAParentOfTheParentIsSeen() {
    Settings outermost = new Settings();
    parent.parent(outermost);
    settings.parent(parent);
    assertNull(settings.get("x"));
    outermost.set("x", "far");
    assertEquals("far", settings.get("x"));
    assertTrue(settings.has("x"));
    parent.set("x", null);
    assertNull(settings.get("x"));
    assertTrue(settings.has("x"));
    settings.parent(null);
    assertFalse(settings.has("x"));
  }

  private static Object derived(Settings settings, List<Object> compiled) {
    return settings.derived(
        "x",
        value -> {
          compiled.add(String.valueOf(value));
          return new Object();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"Weak", "md5", ""})
  void anUnknownEtagIsRejectedAndChangesNothing(String value) {
    settings.set("etag", "strong");
    String message =
        assertThrows(IllegalArgumentException.class, () -> settings.set("etag", value))
            .getMessage();
    assertEquals(
        "set(\"etag\", "
            + value
            + "): must be \"weak\", \"strong\", true, false or an ETagFunction",
        message);
    assertEquals("strong", settings.get("etag"));
  }

  @Test
  void aNumberIsNotAnEtag() {
    assertThrows(IllegalArgumentException.class, () -> settings.set("etag", 1));
    assertThrows(IllegalArgumentException.class, () -> settings.set(Settings.ETAG, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "10.0.0.0/33", ""})
  void invalidTrustIsRejectedWhenItIsSetAndChangesNothing(String value) {
    settings.set(Settings.TRUST_PROXY, "loopback");
    assertThrows(IllegalArgumentException.class, () -> settings.set("trust proxy", value));
    assertThrows(IllegalArgumentException.class, () -> settings.set(Settings.TRUST_PROXY, value));
    assertEquals("loopback", settings.get("trust proxy"));
  }

  @Test
  void aSubdomainOffsetIsANumber() {
    assertEquals(2, settings.get(Settings.SUBDOMAIN_OFFSET));
    assertEquals(2, settings.set("subdomain offset", null).get(Settings.SUBDOMAIN_OFFSET));
    assertEquals(3, settings.set("subdomain offset", 3).get(Settings.SUBDOMAIN_OFFSET));
    assertThrows(IllegalArgumentException.class, () -> settings.set("subdomain offset", "3"));
  }

  @Test
  void theEnvironmentIsThePropertyUnlessItIsEmpty() {
    System.setProperty("percolate.env", "staging");
    assertEquals("staging", Settings.processEnv());
    assertEquals("staging", Settings.ofApplication().get(Settings.ENV));
    System.clearProperty("percolate.env");
    String otherwise = System.getenv("APP_ENV");
    String expected = otherwise == null || otherwise.isEmpty() ? "development" : otherwise;
    assertEquals(expected, Settings.processEnv());
    System.setProperty("percolate.env", "");
    assertEquals(expected, Settings.processEnv());
  }

  @Test
  void jsonIsIndentedByTwoInDevelopmentNotInProductionAndInheritedElsewhere() {
    assertEquals(2, application("development").get("json spaces"));
    assertEquals(0, application("production").get("json spaces"));
    Settings test = application("test");
    assertNull(test.get("json spaces"));
    test.parent(parent.set("json spaces", 4));
    assertEquals(4, test.get("json spaces"));
  }

  @Test
  void tagsAreWeakPoweredByIsOffAndBothAreInherited() {
    Settings app = application("test");
    assertEquals("weak", app.get("etag"));
    assertFalse(app.enabled("x-powered-by"));
    assertEquals(new TreeSet<>(), app.names());
    Settings inner = application("test");
    inner.parent(app.set("etag", false).set("x-powered-by", true));
    assertEquals(false, inner.get("etag"));
    assertTrue(inner.enabled("x-powered-by"));
    assertEquals("Percolate", app.get(Settings.POWERED_BY));
    assertEquals(10L << 20, app.get(Settings.STREAM_LIMIT));
  }

  static Stream<Arguments> wrongValues() {
    return Stream.of(
        arguments("ambiguous targets", "allow"),
        arguments("case sensitive routing", "true"),
        arguments("check responses", 1),
        arguments("conditional requests", "rfc9110"),
        arguments("content negotiation", "rfc"),
        arguments("conversions", List.of()),
        arguments("cookie session name", "a b"),
        arguments("cookie signature", "none"),
        arguments("dotted folders", "yes"),
        arguments("env", ""),
        arguments("env", true),
        arguments("etag", 1),
        arguments("etag hash", "sha1"),
        arguments("exact auth scheme", "yes"),
        arguments("exact body names", "yes"),
        arguments("slow request warning", 2000),
        arguments("slow request warning", Duration.ofSeconds(-1)),
        arguments("slow request warning", ChronoUnit.FOREVER.getDuration()),
        arguments("slow request warning", Duration.ofDays(365L * 300)),
        arguments("header encoding", "utf-8"),
        arguments("json codec", "jackson"),
        arguments("json cookies", 0),
        arguments("json escape", "no"),
        arguments("json lenient", 1),
        arguments("json replacer", "id"),
        arguments("json replacer", Arrays.asList("id", null)),
        arguments("json replacer", List.of("id", List.of())),
        arguments("json spaces", true),
        arguments("jsonp callback name", 7),
        arguments("lint ignore", 7),
        arguments("lint ignore", Arrays.asList("cors-twice", null)),
        arguments("logged response", "both"),
        arguments("mime types", "text/html"),
        arguments("own defaults", "yes"),
        arguments("powered by", "a\nb"),
        arguments("powered by", true),
        arguments("server options", "no"),
        arguments("session name", ""),
        arguments("session overlap", 10),
        arguments("session overlap", Duration.ofSeconds(-1)),
        arguments("session overlap", Duration.ofSeconds(Long.MAX_VALUE)),
        arguments("session resave", "no"),
        arguments("session same site", "loose"),
        arguments("session same site", true),
        arguments("session save uninitialized", 1),
        arguments("stack traces", true),
        arguments("stream limit", "64mb"),
        arguments("stream limit", -1),
        arguments("stream limit", 1.5),
        arguments("strict routing", "false"),
        arguments("subdomain offset", "3"),
        arguments("subdomain offset", -1),
        arguments("trust proxy", "my.host"),
        arguments("validation", "jakarta"),
        arguments("view cache", "true"),
        arguments("view engine", true),
        arguments("view engine", "views/peb"),
        arguments("view engine", "."),
        arguments("views", true),
        arguments("x-powered-by", "Shop"));
  }

  @ParameterizedTest
  @MethodSource("wrongValues")
  void anInvalidValueIsRejectedWhenItIsSetAndChangesNothing(String name, Object value) {
    Settings app = application("development");
    Object was = app.get(name);
    String message =
        assertThrows(IllegalArgumentException.class, () -> app.set(name, value)).getMessage();
    assertTrue(message.startsWith("set(\"" + name + "\", "), message);
    assertEquals(was, app.get(name));
    assertFalse(app.names().contains(name));
  }

  @Test
  void eachKnownSettingExceptTheTitleRejectsSomeValue() {
    Set<String> tried =
        wrongValues().map(one -> String.valueOf(one.get()[0])).collect(Collectors.toSet());
    tried.add("title"); // accepts any value
    assertEquals(Settings.known(), new TreeSet<>(tried));
  }

  @Test
  void aWholeNumberOfAnyTypeIsAStreamLimit() {
    assertEquals(64L, settings.set("stream limit", 64).get(Settings.STREAM_LIMIT));
    assertEquals(0L, settings.set(Settings.STREAM_LIMIT, 0L).get(Settings.STREAM_LIMIT));
  }

  @Test
  void settingsThatApplicationsDefineHaveAnyValue() {
    assertEquals(List.of(1), settings.set("page size", List.of(1)).get("page size"));
  }

  private static Settings application(String env) {
    System.setProperty("percolate.env", env);
    return Settings.ofApplication();
  }
}
