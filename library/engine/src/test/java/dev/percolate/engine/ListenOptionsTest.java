package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.Trust;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ListenOptionsTest {

  private static final Duration MINUTE = Duration.ofMinutes(7);

  private record Option(
      String name,
      UnaryOperator<ListenOptions> set,
      Function<ListenOptions, @Nullable Object> get,
      @Nullable Object fallback,
      Object value) {

    @Override
    public String toString() {
      return name;
    }
  }

  private record Wrong(String option, String value, UnaryOperator<ListenOptions> set) {

    @Override
    public String toString() {
      return option + "(" + value + ")";
    }
  }

  static List<Option> options() {
    Tls tls = Tls.pem(Path.of("cert.pem"), Path.of("key.pem"));
    return List.of(
        new Option("port", o -> o.port(65535), ListenOptions::port, 0, 65535),
        new Option("host", o -> o.host("::1"), ListenOptions::host, "0.0.0.0", "::1"),
        new Option("tls", o -> o.tls(tls), ListenOptions::tls, null, tls),
        new Option(
            "threads",
            o -> o.threads("event loop"),
            ListenOptions::threads,
            ThreadMode.ofThisJdk(),
            ThreadMode.EVENT_LOOP),
        new Option(
            "http2PriorKnowledge",
            o -> o.http2PriorKnowledge(true),
            ListenOptions::http2PriorKnowledge,
            false,
            true),
        duration("headerTimeout", 10, o -> o.headerTimeout(MINUTE), ListenOptions::headerTimeout),
        duration("bodyTimeout", 60, o -> o.bodyTimeout(MINUTE), ListenOptions::bodyTimeout),
        duration("idleTimeout", 5, o -> o.idleTimeout(MINUTE), ListenOptions::idleTimeout),
        duration("writeTimeout", 60, o -> o.writeTimeout(MINUTE), ListenOptions::writeTimeout),
        duration("lingerTimeout", 30, o -> o.lingerTimeout(MINUTE), ListenOptions::lingerTimeout),
        duration(
            "responseTimeout", 60, o -> o.responseTimeout(MINUTE), ListenOptions::responseTimeout),
        duration("shutdownDelay", 0, o -> o.shutdownDelay(MINUTE), ListenOptions::shutdownDelay),
        duration(
            "shutdownTimeout", 30, o -> o.shutdownTimeout(MINUTE), ListenOptions::shutdownTimeout),
        new Option(
            "maxTargetLength",
            o -> o.maxTargetLength(64),
            ListenOptions::maxTargetLength,
            8000,
            64),
        new Option(
            "maxHeaderBytes", o -> o.maxHeaderBytes(256), ListenOptions::maxHeaderBytes, 8192, 256),
        new Option("maxHeaders", o -> o.maxHeaders(1), ListenOptions::maxHeaders, 100, 1),
        new Option("minBodyRate", o -> o.minBodyRate(0), ListenOptions::minBodyRate, 240, 0),
        new Option(
            "minResponseRate", o -> o.minResponseRate(0), ListenOptions::minResponseRate, 500, 0),
        new Option(
            "maxConcurrentRequests",
            o -> o.maxConcurrentRequests(1),
            ListenOptions::maxConcurrentRequests,
            10_000,
            1),
        new Option(
            "maxConnections", o -> o.maxConnections(1), ListenOptions::maxConnections, 16_384, 1),
        new Option(
            "maxConnectionsPerAddress",
            o -> o.maxConnectionsPerAddress(1),
            ListenOptions::maxConnectionsPerAddress,
            Integer.MAX_VALUE,
            1));
  }

  private static Option duration(
      String name,
      int seconds,
      UnaryOperator<ListenOptions> set,
      Function<ListenOptions, @Nullable Object> get) {
    return new Option(name, set, get, Duration.ofSeconds(seconds), MINUTE);
  }

  @Test
  void timesOfMoreThan292YearsAreShortenedToFitIntoNanoseconds() {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    ListenOptions options = ListenOptions.ofPort(0).idleTimeout(forever).shutdownTimeout(forever);
    assertEquals(Long.MAX_VALUE, options.idleTimeout().toNanos());
    assertEquals(Long.MAX_VALUE, options.shutdownTimeout().toNanos());
    assertEquals(Long.MAX_VALUE, options.behindProxy(forever).idleTimeout().toNanos());
  }

  @ParameterizedTest
  @MethodSource("options")
  void optionsAreSetOnACopy(Option option) {
    ListenOptions before = ListenOptions.ofPort(0);
    ListenOptions after = option.set.apply(before);
    assertEquals(option.fallback, option.get.apply(before));
    assertEquals(option.value, option.get.apply(after));
  }

  @ParameterizedTest
  @MethodSource("options")
  void anOptionDoesNotChangeOthers(Option option) {
    ListenOptions all = ListenOptions.ofPort(0);
    for (Option one : options()) {
      all = one.name.equals(option.name) ? all : one.set.apply(all);
    }
    all = option.set.apply(all);
    for (Option one : options()) {
      assertEquals(one.value.toString(), String.valueOf(one.get.apply(all)), one.name);
    }
  }

  static List<Wrong> wrongs() {
    Duration none = Duration.ZERO;
    Duration less = Duration.ofMillis(-1);
    return List.of(
        new Wrong("port", "-1", o -> o.port(-1)),
        new Wrong("port", "65536", o -> o.port(65536)),
        new Wrong("port", "70000", o -> ListenOptions.ofPort(70000)),
        new Wrong("host", "\"\"", o -> o.host("")),
        new Wrong("host", "\" \"", o -> o.host(" ")),
        new Wrong("threads", "\"Pool\"", o -> o.threads("Pool")),
        new Wrong("headerTimeout", none.toString(), o -> o.headerTimeout(none)),
        new Wrong("headerTimeout", less.toString(), o -> o.headerTimeout(less)),
        new Wrong("bodyTimeout", none.toString(), o -> o.bodyTimeout(none)),
        new Wrong("idleTimeout", less.toString(), o -> o.idleTimeout(less)),
        new Wrong("writeTimeout", none.toString(), o -> o.writeTimeout(none)),
        new Wrong("responseTimeout", less.toString(), o -> o.responseTimeout(less)),
        new Wrong("shutdownDelay", less.toString(), o -> o.shutdownDelay(less)),
        new Wrong("shutdownTimeout", less.toString(), o -> o.shutdownTimeout(less)),
        new Wrong("maxTargetLength", "63", o -> o.maxTargetLength(63)),
        new Wrong("maxHeaderBytes", "255", o -> o.maxHeaderBytes(255)),
        new Wrong("maxHeaders", "0", o -> o.maxHeaders(0)),
        new Wrong("minBodyRate", "-1", o -> o.minBodyRate(-1)),
        new Wrong("minResponseRate", "-1", o -> o.minResponseRate(-1)),
        new Wrong("maxConcurrentRequests", "0", o -> o.maxConcurrentRequests(0)),
        new Wrong("maxConnections", "0", o -> o.maxConnections(0)),
        new Wrong("maxConnectionsPerAddress", "0", o -> o.maxConnectionsPerAddress(0)));
  }

  @ParameterizedTest
  @MethodSource("wrongs")
  void invalidValuesAreRejectedByOptionAndValue(Wrong wrong) {
    ListenOptions options = ListenOptions.ofPort(0);
    String message =
        assertThrows(IllegalArgumentException.class, () -> wrong.set.apply(options)).getMessage();
    assertTrue(message.startsWith(wrong.option()) && message.contains(wrong.value()), message);
  }

  @Test
  void proxiesOfTheProxyProtocolAreAddressesAndSubnets() {
    ListenOptions options = ListenOptions.ofPort(0);
    assertNull(options.proxyProtocol());
    Trust trusted =
        Objects.requireNonNull(
            options.proxyProtocol("10.0.0.0/8", "::1", "linklocal").proxyProtocol());
    assertTrue(trusted.trusts("10.1.2.3", 0) && trusted.trusts("169.254.0.1", 0));
    assertTrue(trusted.trusts("::1", 0) && trusted.trusts("::ffff:10.0.0.1", 0));
    assertFalse(trusted.trusts("11.0.0.1", 0) || trusted.trusts("127.0.0.1", 0));
    for (String wrong : List.of("", "proxy.example", "10.0.0.0/33", "10.0.0")) {
      Exception e =
          assertThrows(IllegalArgumentException.class, () -> options.proxyProtocol("::1", wrong));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.startsWith("proxyProtocol(…): \"" + wrong), message);
    }
    assertThrows(IllegalArgumentException.class, () -> options.proxyProtocol(new String[0]).port());
  }

  @Test
  void drainMayBeZero() {
    assertEquals(
        Duration.ZERO, ListenOptions.ofPort(0).shutdownTimeout(Duration.ZERO).shutdownTimeout());
  }

  @Test
  void behindAProxyIdleConnectionsLastLongerAndShutdownIsAnnounced() {
    ListenOptions nginx = ListenOptions.ofPort(0).behindProxy(Duration.ofMinutes(1));
    assertEquals(Duration.ofSeconds(75), nginx.idleTimeout());
    assertEquals(Duration.ofSeconds(5), nginx.shutdownDelay());
    ListenOptions cloud = nginx.behindProxy(Duration.ofMinutes(10));
    assertEquals(Duration.ofSeconds(750), cloud.idleTimeout());
    assertThrows(IllegalArgumentException.class, () -> nginx.behindProxy(Duration.ZERO));
  }
}
