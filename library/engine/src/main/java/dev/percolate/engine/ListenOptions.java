package dev.percolate.engine;

import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Quantity;
import dev.percolate.http.Trust;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of a server. Each option returns a changed copy.
 *
 * <pre>
 *   option                    default              meaning
 *   port                      0                    the port; 0 for any free port
 *   host                      0.0.0.0              the local address or its name
 *   tls                       none                 certificate and key for HTTPS
 *   threads                   virtual, pool on 17  where handlers run: see ThreadMode
 *   http2PriorKnowledge       false                HTTP/2 in clear text, for clients that start with it
 *   proxyProtocol             none                 proxies whose PROXY header names the client
 *   headerTimeout             10 s                 from the first byte of a request to the end of its headers
 *   bodyTimeout               60 s                 from one chunk of a request body to the next
 *   minBodyRate               240                  bytes per second of a request body, after its first 5 s
 *   idleTimeout               5 s                  how long a connection may have no request
 *   writeTimeout              60 s                 how long a client may receive nothing of a response
 *   minResponseRate           500                  bytes per second of a response that waits for its client
 *   lingerTimeout             30 s                 how long a client may send after its last response
 *   responseTimeout           60 s                 from a request to the start of its response; then 503
 *   shutdownDelay             0 s                  how long close still serves new clients
 *   shutdownTimeout           30 s                 how long close waits for current requests
 *   maxTargetLength           8000                 bytes of the request target; more get 414
 *   maxHeaderBytes            8192                 bytes of all headers; more get 431
 *   maxHeaders                100                  header lines; more get 431
 *   maxConcurrentRequests     10000                concurrent requests; more get 503
 *   maxConnections            16384                open connections; more are closed
 *   maxConnectionsPerAddress  no limit             open connections of one client; more are closed
 *   bodyMemory                process budget       memory for request bodies: see BodyMemory
 *   onFatalError              END_PROCESS          when the port can no longer be served: see FatalErrorPolicy
 * </pre>
 */
@CheckReturnValue
public final class ListenOptions extends Copyable<ListenOptions> {

  private static final Duration ANNOUNCEMENT = Duration.ofSeconds(5);

  private String host = "0.0.0.0";
  private int port;
  private @Nullable Tls tls;
  private ThreadMode threads = ThreadMode.ofThisJdk();
  private boolean http2PriorKnowledge;
  private @Nullable Trust proxyProtocol;
  private Duration headerTimeout = Duration.ofSeconds(10);
  private Duration bodyTimeout = Duration.ofSeconds(60);
  private Duration idleTimeout = Duration.ofSeconds(5);
  private Duration writeTimeout = Duration.ofSeconds(60);
  private Duration lingerTimeout = Duration.ofSeconds(30);
  private Duration responseTimeout = Duration.ofSeconds(60);
  private Duration shutdownDelay = Duration.ZERO;
  private Duration shutdownTimeout = Duration.ofSeconds(30);
  private int maxTargetLength = 8000;
  private int maxHeaderBytes = 8192;
  private int maxHeaders = 100;
  private int minBodyRate = 240;
  private int minResponseRate = 500;
  private int maxConcurrentRequests = 10_000;
  private int maxConnections = 16_384;
  private int maxConnectionsPerAddress = Integer.MAX_VALUE;
  private BodyMemory bodyMemory = BodyMemory.ofProcess();
  private FatalErrorPolicy onFatalError = FatalErrorPolicy.END_PROCESS;

  private ListenOptions() {}

  /**
   * Creates options with a port and the defaults.
   *
   * @param port 0 to 65535; 0 for any free port
   */
  public static ListenOptions ofPort(int port) {
    return new ListenOptions().port(port);
  }

  /** Returns the port. */
  public int port() {
    return port;
  }

  /**
   * Sets the port.
   *
   * @param port 0 to 65535; 0 for any free port
   */
  public ListenOptions port(int port) {
    return with(copy -> copy.port = OptionCheck.port(port));
  }

  /** Returns the local address. */
  public String host() {
    return host;
  }

  /**
   * Sets the local address. Default: all addresses.
   *
   * @param host an IP address or a host name
   */
  public ListenOptions host(String host) {
    return with(copy -> copy.host = OptionCheck.host(host));
  }

  /** Returns the certificate and key; null for clear text. */
  public @Nullable Tls tls() {
    return tls;
  }

  /**
   * Sets the certificate and key for HTTPS. Default: clear text.
   *
   * @param tls the certificate and key
   */
  public ListenOptions tls(Tls tls) {
    return with(copy -> copy.tls = tls);
  }

  /** Returns true if clients may start HTTP/2 in clear text. */
  public boolean http2PriorKnowledge() {
    return http2PriorKnowledge;
  }

  /**
   * Sets whether clients may start HTTP/2 in clear text with prior knowledge (RFC 9113 section
   * 3.3), for example a proxy that terminates TLS. HTTP/1.1 works on the same port. HTTP/2 over TLS
   * does not need this option. Requires the engine {@code nio} with {@code percolate-http2}.
   *
   * @param http2PriorKnowledge true to allow it
   */
  public ListenOptions http2PriorKnowledge(boolean http2PriorKnowledge) {
    return with(copy -> copy.http2PriorKnowledge = http2PriorKnowledge);
  }

  /** Returns the proxies that send a PROXY protocol header; null if there are none. */
  public @Nullable Trust proxyProtocol() {
    return proxyProtocol;
  }

  /**
   * Sets the proxies that start each connection with a PROXY protocol header, version 1 or 2, which
   * contains the client's address. Examples are HAProxy with {@code send-proxy} or {@code
   * send-proxy-v2}, nginx with {@code proxy_protocol on}, and TCP load balancers. Requests, log
   * lines and limits per client then use the client's address, over HTTP/1.1, HTTP/2 and TLS.
   * Default: none.
   *
   * <p>A connection from one of these addresses that does not begin with a valid header is closed.
   * From all other addresses, a header is an invalid request (400), so they cannot forge an
   * address. The header changes only the address, not {@link Exchange#secure}.
   *
   * @param trusted addresses, subnets and names as in {@link Trust#of}, such as {@code 10.0.0.0/8}
   *     or {@code loopback}
   * @throws IllegalArgumentException if the list is empty, or if an entry is invalid
   */
  public ListenOptions proxyProtocol(String... trusted) {
    return with(copy -> copy.proxyProtocol = OptionCheck.proxies(trusted));
  }

  /** Returns the thread mode. */
  public ThreadMode threads() {
    return threads;
  }

  /**
   * Sets the thread mode.
   *
   * @param threads the threads that run middleware and handlers
   */
  public ListenOptions threads(ThreadMode threads) {
    return with(copy -> copy.threads = threads);
  }

  /**
   * Sets the thread mode by name.
   *
   * @param name {@code virtual}, {@code pool} or {@code event loop}
   */
  public ListenOptions threads(String name) {
    return threads(ThreadMode.of(name));
  }

  /** Returns the time limit for receiving the head of a request. */
  public Duration headerTimeout() {
    return headerTimeout;
  }

  /**
   * Sets the time limit for receiving the head of a request. Default: 10 s.
   *
   * @param time a positive time
   */
  public ListenOptions headerTimeout(Duration time) {
    return with(copy -> copy.headerTimeout = Quantity.positive("headerTimeout", time));
  }

  /** Returns the time limit from one chunk of a request body to the next. */
  public Duration bodyTimeout() {
    return bodyTimeout;
  }

  /**
   * Sets the time limit from one chunk of a request body to the next. Default: 60 s.
   *
   * @param time a positive time
   */
  public ListenOptions bodyTimeout(Duration time) {
    return with(copy -> copy.bodyTimeout = Quantity.positive("bodyTimeout", time));
  }

  /** Returns the time limit for a connection without a request (keep-alive timeout). */
  public Duration idleTimeout() {
    return idleTimeout;
  }

  /**
   * Sets the time limit for a connection without a request (keep-alive timeout). Default: 5 s.
   *
   * @param time a positive time
   */
  public ListenOptions idleTimeout(Duration time) {
    return with(copy -> copy.idleTimeout = Quantity.positive("idleTimeout", time));
  }

  /** Returns the time limit for a client that receives nothing of its response. */
  public Duration writeTimeout() {
    return writeTimeout;
  }

  /**
   * Sets the time limit for a client that receives nothing of its response. Default: 60 s.
   *
   * @param time a positive time
   */
  public ListenOptions writeTimeout(Duration time) {
    return with(copy -> copy.writeTimeout = Quantity.positive("writeTimeout", time));
  }

  /** Returns the time for which a client may keep sending after its last response. */
  public Duration lingerTimeout() {
    return lingerTimeout;
  }

  /**
   * Sets the time for which a client may keep sending after its last response, such as the rest of
   * an upload that is too large. The server discards these bytes: if it closed the connection at
   * once, the client might lose the response. A client that is silent for 5 s, or slower than
   * {@link #minBodyRate}, is disconnected earlier. While 1,000 clients send for longer than 2 s,
   * others are disconnected after 2 s or 16 MiB. Default: 30 seconds.
   *
   * @param time a positive time
   */
  public ListenOptions lingerTimeout(Duration time) {
    return with(copy -> copy.lingerTimeout = Quantity.positive("lingerTimeout", time));
  }

  /** Returns the time limit for the start of a response; zero for no limit. */
  public Duration responseTimeout() {
    return responseTimeout;
  }

  /**
   * Sets the time limit for the start of a response. A request without a response by then gets 503,
   * without error handlers, and a log line names the handler. The handler continues, but its
   * response is rejected. Streamed responses and upgraded connections have started. To allow a
   * request more time, call {@code req.responseTimeout}. Default: 60 s.
   *
   * @param time the time since the request head, or since the last chunk of the body was read; zero
   *     for no limit
   */
  public ListenOptions responseTimeout(Duration time) {
    return with(copy -> copy.responseTimeout = Quantity.notNegative("responseTimeout", time));
  }

  /** Returns the time for which {@link Server#close} still serves new clients. */
  public Duration shutdownDelay() {
    return shutdownDelay;
  }

  /**
   * Sets the time for which {@link Server#close} still serves new clients, so that load balancers
   * can detect the shutdown. {@link Server#isShuttingDown} is true, and each response closes its
   * connection. Default: 0 s.
   *
   * @param time zero or more, before {@link #shutdownTimeout}
   */
  public ListenOptions shutdownDelay(Duration time) {
    return with(copy -> copy.shutdownDelay = Quantity.notNegative("shutdownDelay", time));
  }

  /**
   * Sets options for a server behind a reverse proxy. {@link #idleTimeout} exceeds that of the
   * proxy by a quarter, or by 15 s if that is more: a request on a closing connection is lost.
   * {@link #shutdownDelay} is 5 s. Also set {@code trust proxy} to the address of the proxy.
   *
   * @param proxyIdle how long the proxy keeps an idle connection to this server, such as 60 s
   * @throws IllegalArgumentException if the time is not positive
   */
  public ListenOptions behindProxy(Duration proxyIdle) {
    return idleTimeout(OptionCheck.longerThan(proxyIdle)).shutdownDelay(ANNOUNCEMENT);
  }

  /** Returns the time for which {@link Server#close} waits for current requests. */
  public Duration shutdownTimeout() {
    return shutdownTimeout;
  }

  /**
   * Sets the time for which {@link Server#close} waits for current requests (graceful shutdown).
   * Default: 30 s.
   *
   * @param time zero or more
   */
  public ListenOptions shutdownTimeout(Duration time) {
    return with(copy -> copy.shutdownTimeout = Quantity.notNegative("shutdownTimeout", time));
  }

  /** Returns the maximum length of a request target, in bytes. */
  public int maxTargetLength() {
    return maxTargetLength;
  }

  /**
   * Sets the maximum length of a request target in bytes, path and query together. Default: 8000,
   * as RFC 9112 section 3 recommends.
   *
   * @param bytes 64 or more
   */
  public ListenOptions maxTargetLength(int bytes) {
    return with(copy -> copy.maxTargetLength = Quantity.atLeast("maxTargetLength", 64, bytes));
  }

  /** Returns the maximum size of all headers, in bytes. */
  public int maxHeaderBytes() {
    return maxHeaderBytes;
  }

  /**
   * Sets the maximum size of all headers, in bytes. Default: 8192.
   *
   * @param bytes 256 or more
   */
  public ListenOptions maxHeaderBytes(int bytes) {
    return with(copy -> copy.maxHeaderBytes = Quantity.atLeast("maxHeaderBytes", 256, bytes));
  }

  /** Returns the maximum number of header lines. */
  public int maxHeaders() {
    return maxHeaders;
  }

  /**
   * Sets the maximum number of header lines. Default: 100.
   *
   * @param lines 1 or more
   */
  public ListenOptions maxHeaders(int lines) {
    return with(copy -> copy.maxHeaders = Quantity.atLeast("maxHeaders", 1, lines));
  }

  /** Returns the lowest rate at which a client may send a body, in bytes per second. */
  public int minBodyRate() {
    return minBodyRate;
  }

  /**
   * Sets the lowest average rate at which a client may send a body, in bytes per second. It applies
   * after 5 s; time in which the server did not read does not count. A slower body ends with 408.
   * Default: 240.
   *
   * @param bytes 0 to accept any rate
   */
  public ListenOptions minBodyRate(int bytes) {
    return with(copy -> copy.minBodyRate = Quantity.atLeast("minBodyRate", 0, bytes));
  }

  /** Returns the lowest rate at which a client may take a response, in bytes per second. */
  public int minResponseRate() {
    return minResponseRate;
  }

  /**
   * Sets the lowest average rate at which a client may take a response, in bytes per second. The
   * rate is measured while the socket buffer is full and bytes wait for the client. Time in which a
   * handler computes, or an event stream or WebSocket has nothing to send, does not count.
   *
   * <p>A slower client is disconnected after about 10 seconds; in HTTP/2 the stream or connection
   * ends. Progress is measured each time a system buffer has been sent, and {@link #writeTimeout}
   * limits the time between two such measurements. Default: 500.
   *
   * @param bytes 0 to accept any rate
   */
  public ListenOptions minResponseRate(int bytes) {
    return with(copy -> copy.minResponseRate = Quantity.atLeast("minResponseRate", 0, bytes));
  }

  /** Returns the maximum number of concurrent requests. */
  public int maxConcurrentRequests() {
    return maxConcurrentRequests;
  }

  /**
   * Sets the maximum number of concurrent requests, which include open WebSockets and event
   * streams. Further requests get 503 with {@code Retry-After: 1}, and their connections are
   * closed. Default: 10,000.
   *
   * @param requests 1 or more
   */
  public ListenOptions maxConcurrentRequests(int requests) {
    return with(
        copy ->
            copy.maxConcurrentRequests = Quantity.atLeast("maxConcurrentRequests", 1, requests));
  }

  /** Returns the maximum number of open connections. */
  public int maxConnections() {
    return maxConnections;
  }

  /**
   * Sets the maximum number of open connections. Further connections are closed unread. Default:
   * 16,384.
   *
   * @param connections 1 or more
   */
  public ListenOptions maxConnections(int connections) {
    return with(copy -> copy.maxConnections = Quantity.atLeast("maxConnections", 1, connections));
  }

  /** Returns the maximum number of open connections of one client. */
  public int maxConnectionsPerAddress() {
    return maxConnectionsPerAddress;
  }

  /**
   * Sets the maximum number of open connections of one client: an IPv4 address, or a /64 network of
   * IPv6 addresses. Default: no limit, since behind a proxy all clients have the proxy's address,
   * unless it uses the {@link #proxyProtocol}.
   *
   * @param connections 1 or more
   */
  public ListenOptions maxConnectionsPerAddress(int connections) {
    int checked = Quantity.atLeast("maxConnectionsPerAddress", 1, connections);
    return with(copy -> copy.maxConnectionsPerAddress = checked);
  }

  /** Returns the memory budget for request bodies. */
  public BodyMemory bodyMemory() {
    return bodyMemory;
  }

  /**
   * Sets the memory budget for request bodies. Default: a quarter of the heap, shared by all
   * servers of the process.
   *
   * @param memory the budget
   */
  public ListenOptions bodyMemory(BodyMemory memory) {
    return with(copy -> copy.bodyMemory = memory);
  }

  /** Returns the policy for errors after which the port cannot be served. */
  public FatalErrorPolicy onFatalError() {
    return onFatalError;
  }

  /**
   * Sets the policy for errors after which the port cannot be served: an event loop, or the thread
   * that accepts connections, has failed and cannot be restarted. Default: {@link
   * FatalErrorPolicy#END_PROCESS}, so that a supervisor starts the process again. Use {@link
   * FatalErrorPolicy#CLOSE_SERVER} in a program that does other work besides serving this port.
   * Running out of files, or of memory for one request, is never fatal.
   *
   * @param policy the policy
   */
  public ListenOptions onFatalError(FatalErrorPolicy policy) {
    return with(copy -> copy.onFatalError = policy);
  }
}
