package dev.percolate.engine;

import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Trust;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says where and how a server listens. Each option gives a changed copy.
 *
 * <pre>
 *   option           default              meaning
 *   port             0                    0 finds a free one
 *   host             0.0.0.0              the local address, or its name
 *   tls              none                 certificate and key: HTTPS
 *   threads          virtual, pool on 17  where steps run: see Threads
 *   http2PriorKnowledge  false            HTTP/2 in clear text, to clients that know of it
 *   proxyProtocol    none                 proxies whose PROXY header names the client
 *   headTimeout      10 s                 from the first byte of a request to the end of its headers
 *   bodyTimeout      60 s                 from one piece of a body to the next
 *   minBodyRate      240                  bytes a second of a body, after its first 5 s
 *   idleTimeout      5 s                  a connection without a request
 *   writeTimeout     60 s                 a client that takes nothing of its answer
 *   minResponseRate  500                  bytes a second of a response that waits for its client
 *   lingerTimeout    30 s                 a client that goes on sending after its last response
 *   answerTimeout    60 s                 from the end of a request to the start of its answer; then 503
 *   announce         nothing              what close waits while new clients are still served
 *   drain            30 s                 what close waits for requests that have arrived
 *   maxTarget        8000                 bytes of the request target; beyond it 414
 *   maxHeaderBytes   8192                 bytes of all headers; beyond it 431
 *   maxHeaders       100                  header lines; beyond it 431
 *   maxRequests      10000                requests under way at once; beyond it 503
 *   maxConnections   16384                open connections; beyond it new ones are closed
 *   maxConnectionsPerAddress  no limit    those of one client
 *   bodyMemory       that of the process  what bodies take in memory: see BodyMemory
 *   onFatalError     END_PROCESS          when the port can no longer be served: see FatalErrorPolicy
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
  private Duration headTimeout = Duration.ofSeconds(10);
  private Duration bodyTimeout = Duration.ofSeconds(60);
  private Duration idleTimeout = Duration.ofSeconds(5);
  private Duration writeTimeout = Duration.ofSeconds(60);
  private Duration lingerTimeout = Duration.ofSeconds(30);
  private Duration answerTimeout = Duration.ofSeconds(60);
  private Duration announce = Duration.ZERO;
  private Duration drain = Duration.ofSeconds(30);
  private int maxTarget = 8000;
  private int maxHeaderBytes = 8192;
  private int maxHeaders = 100;
  private int minBodyRate = 240;
  private int minResponseRate = 500;
  private int maxRequests = 10_000;
  private int maxConnections = 16_384;
  private int maxConnectionsPerAddress = Integer.MAX_VALUE;
  private BodyMemory bodyMemory = BodyMemory.ofProcess();
  private FatalErrorPolicy onFatalError = FatalErrorPolicy.END_PROCESS;

  private ListenOptions() {}

  /**
   * Creates options with the defaults, for a port.
   *
   * @param port 0 to 65535
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
   * @param port 0 to 65535
   */
  public ListenOptions port(int port) {
    int checked = OptionCheck.port(port);
    return with(copy -> copy.port = checked);
  }

  /** Returns the local address. */
  public String host() {
    return host;
  }

  /**
   * Sets the local address.
   *
   * @param host an address or its name
   */
  public ListenOptions host(String host) {
    String checked = OptionCheck.host(host);
    return with(copy -> copy.host = checked);
  }

  /** Returns certificate and key; null for clear text. */
  public @Nullable Tls tls() {
    return tls;
  }

  /**
   * Sets certificate and key, so that the server speaks HTTPS.
   *
   * @param tls certificate and key
   */
  public ListenOptions tls(Tls tls) {
    return with(copy -> copy.tls = tls);
  }

  /** Tells whether clients may begin HTTP/2 in clear text. */
  public boolean http2PriorKnowledge() {
    return http2PriorKnowledge;
  }

  /**
   * Lets clients that know of it beforehand begin HTTP/2 in clear text (RFC 9113 section 3.3), such
   * as a proxy that has taken TLS off; others speak HTTP/1.1 on the same port. Over TLS it is
   * agreed upon without this option. It needs the engine {@code nio} with {@code percolate-http2}.
   *
   * @param http2PriorKnowledge whether they may
   */
  public ListenOptions http2PriorKnowledge(boolean http2PriorKnowledge) {
    return with(copy -> copy.http2PriorKnowledge = http2PriorKnowledge);
  }

  /** Returns the proxies that send a PROXY protocol header; null if there are none. */
  public @Nullable Trust proxyProtocol() {
    return proxyProtocol;
  }

  /**
   * Sets the proxies that begin each connection with a PROXY protocol header, version 1 or 2, which
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
    Trust proxies = OptionCheck.proxies(trusted);
    return with(copy -> copy.proxyProtocol = proxies);
  }

  /** Returns the thread mode. */
  public ThreadMode threads() {
    return threads;
  }

  /**
   * Sets the thread mode.
   *
   * @param threads where steps run
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

  /** Returns the time that the head of a request may take. */
  public Duration headTimeout() {
    return headTimeout;
  }

  /**
   * Sets the time that the head of a request may take.
   *
   * @param time longer than nothing
   */
  public ListenOptions headTimeout(Duration time) {
    Duration checked = OptionCheck.positive("headTimeout", time);
    return with(copy -> copy.headTimeout = checked);
  }

  /** Returns the time from one piece of a body to the next. */
  public Duration bodyTimeout() {
    return bodyTimeout;
  }

  /**
   * Sets the time from one piece of a body to the next.
   *
   * @param time longer than nothing
   */
  public ListenOptions bodyTimeout(Duration time) {
    Duration checked = OptionCheck.positive("bodyTimeout", time);
    return with(copy -> copy.bodyTimeout = checked);
  }

  /** Returns the time that a connection may be without a request. */
  public Duration idleTimeout() {
    return idleTimeout;
  }

  /**
   * Sets the time that a connection may be without a request.
   *
   * @param time longer than nothing
   */
  public ListenOptions idleTimeout(Duration time) {
    Duration checked = OptionCheck.positive("idleTimeout", time);
    return with(copy -> copy.idleTimeout = checked);
  }

  /** Returns the time that a client may take nothing of its answer. */
  public Duration writeTimeout() {
    return writeTimeout;
  }

  /**
   * Sets the time that a client may take nothing of its answer.
   *
   * @param time longer than nothing
   */
  public ListenOptions writeTimeout(Duration time) {
    Duration checked = OptionCheck.positive("writeTimeout", time);
    return with(copy -> copy.writeTimeout = checked);
  }

  /** Returns the time for which a client may keep sending after its last response. */
  public Duration lingerTimeout() {
    return lingerTimeout;
  }

  /**
   * Sets the time for which a client may keep sending after its last response, such as the rest of
   * an upload that is too large. The server discards these bytes: if it closed the connection at
   * once, the client might lose the response. A client that is silent for 2 s, or slower than
   * {@link #minBodyRate}, is disconnected earlier. While 1,000 clients send for longer than 2 s,
   * others are disconnected after 2 s or 16 MiB. Default: 30 seconds.
   *
   * @param time a positive time
   */
  public ListenOptions lingerTimeout(Duration time) {
    Duration checked = OptionCheck.positive("lingerTimeout", time);
    return with(copy -> copy.lingerTimeout = checked);
  }

  /** Returns the time that an answer may take to start; nothing stands for no limit. */
  public Duration answerTimeout() {
    return answerTimeout;
  }

  /**
   * Sets the time that an answer may take to start. A request that nobody has answered by then gets
   * 503, past all error handlers, and a line in the log names the step that it waited for; what
   * that answers later is refused. The step itself goes on. An answer in pieces has started, and so
   * has a connection that was handed over; a request that is meant to wait says how long by {@code
   * req.answerTimeout}.
   *
   * @param time from the head of the request on, and anew from each piece of its body that is read;
   *     nothing for no limit
   */
  public ListenOptions answerTimeout(Duration time) {
    Duration checked = OptionCheck.notNegative("answerTimeout", time);
    return with(copy -> copy.answerTimeout = checked);
  }

  /** Returns the time for which {@link Server#close} still serves new clients. */
  public Duration announce() {
    return announce;
  }

  /**
   * Sets the time for which {@link Server#close} still serves new clients, so that who sends them
   * here can learn that it should not: {@link Server#leaving} tells, and each answer says that it
   * is the last of its connection.
   *
   * @param time nothing or more; it comes in front of {@link #drain}
   */
  public ListenOptions announce(Duration time) {
    Duration checked = OptionCheck.notNegative("announce", time);
    return with(copy -> copy.announce = checked);
  }

  /**
   * Sets what goes well with a proxy in front: {@link #idleTimeout} is a quarter longer than the
   * proxy's, and 15 s at least, as a request that meets a connection just being closed is lost; and
   * {@link #announce} is 5 s, for the proxy to learn that this server leaves. Behind a proxy the
   * setting {@code trust proxy} says whom to believe about clients.
   *
   * @param proxyIdle how long the proxy keeps an idle connection to this server, such as 60 s
   * @throws IllegalArgumentException if it is not longer than nothing
   */
  public ListenOptions behindProxy(Duration proxyIdle) {
    return idleTimeout(OptionCheck.longerThan(proxyIdle)).announce(ANNOUNCEMENT);
  }

  /** Returns the time that {@link Server#close} waits for requests that have arrived. */
  public Duration drain() {
    return drain;
  }

  /**
   * Sets the time that {@link Server#close} waits for requests that have arrived.
   *
   * @param time nothing or more
   */
  public ListenOptions drain(Duration time) {
    Duration checked = OptionCheck.notNegative("drain", time);
    return with(copy -> copy.drain = checked);
  }

  /** Returns the maximum length of a request target, in bytes. */
  public int maxTarget() {
    return maxTarget;
  }

  /**
   * Sets the maximum length of a request target in bytes, path and query together. Default: 8000,
   * as RFC 9112 section 3 recommends.
   *
   * @param bytes 64 or more
   */
  public ListenOptions maxTarget(int bytes) {
    int checked = OptionCheck.atLeast("maxTarget", 64, bytes);
    return with(copy -> copy.maxTarget = checked);
  }

  /** Returns the most bytes of all headers. */
  public int maxHeaderBytes() {
    return maxHeaderBytes;
  }

  /**
   * Sets the most bytes of all headers.
   *
   * @param bytes 256 or more
   */
  public ListenOptions maxHeaderBytes(int bytes) {
    int checked = OptionCheck.atLeast("maxHeaderBytes", 256, bytes);
    return with(copy -> copy.maxHeaderBytes = checked);
  }

  /** Returns the most header lines. */
  public int maxHeaders() {
    return maxHeaders;
  }

  /**
   * Sets the most header lines.
   *
   * @param lines 1 or more
   */
  public ListenOptions maxHeaders(int lines) {
    int checked = OptionCheck.atLeast("maxHeaders", 1, lines);
    return with(copy -> copy.maxHeaders = checked);
  }

  /** Returns the least bytes of a body that a client sends a second. */
  public int minBodyRate() {
    return minBodyRate;
  }

  /**
   * Sets the least bytes of a body that a client sends a second, on the average. That counts once a
   * body takes longer than 5 s; time in which the client was asked to wait does not. A slower body
   * ends with an error of status 408.
   *
   * @param bytes 0 to accept any rate
   */
  public ListenOptions minBodyRate(int bytes) {
    int checked = OptionCheck.atLeast("minBodyRate", 0, bytes);
    return with(copy -> copy.minBodyRate = checked);
  }

  /** Returns the lowest rate at which a client may take a response, in bytes per second. */
  public int minResponseRate() {
    return minResponseRate;
  }

  /**
   * Sets the lowest average rate at which a client may take a response, in bytes per second. Only
   * the time counts in which the socket buffer is full and bytes wait for the client. Time in which
   * a handler computes, or an event stream or WebSocket has nothing to send, does not count.
   *
   * <p>A slower client is disconnected after about 10 seconds; in HTTP/2 the stream or connection
   * ends. Progress becomes visible in steps as large as the system's buffers. The rate is measured
   * from one step to another, and {@link #writeTimeout} limits the time between them. Default: 500.
   *
   * @param bytes 0 to accept any rate
   */
  public ListenOptions minResponseRate(int bytes) {
    int checked = OptionCheck.atLeast("minResponseRate", 0, bytes);
    return with(copy -> copy.minResponseRate = checked);
  }

  /** Returns the most requests under way at once. */
  public int maxRequests() {
    return maxRequests;
  }

  /**
   * Sets the most requests under way at once, and so the most handlers that block; a WebSocket, or
   * a stream of events, is one as long as it is open. What comes beyond it is answered 503 at once,
   * with {@code Retry-After: 1}, and its connection closed.
   *
   * @param requests 1 or more
   */
  public ListenOptions maxRequests(int requests) {
    int checked = OptionCheck.atLeast("maxRequests", 1, requests);
    return with(copy -> copy.maxRequests = checked);
  }

  /** Returns the most connections that are open at once. */
  public int maxConnections() {
    return maxConnections;
  }

  /**
   * Sets the most connections that are open at once. New ones beyond it are closed before anything
   * is read from them.
   *
   * @param connections 1 or more
   */
  public ListenOptions maxConnections(int connections) {
    int checked = OptionCheck.atLeast("maxConnections", 1, connections);
    return with(copy -> copy.maxConnections = checked);
  }

  /** Returns the most connections that one client has open at once. */
  public int maxConnectionsPerAddress() {
    return maxConnectionsPerAddress;
  }

  /**
   * Sets the most connections that one client has open at once: one IPv4 address, or one network of
   * IPv6 addresses that share their first 64 bits. Behind a proxy all clients have the proxy's
   * address unless {@link #proxyProtocol} names them, which is why there is no limit by default.
   *
   * @param connections 1 or more
   */
  public ListenOptions maxConnectionsPerAddress(int connections) {
    int checked = OptionCheck.atLeast("maxConnectionsPerAddress", 1, connections);
    return with(copy -> copy.maxConnectionsPerAddress = checked);
  }

  /** Returns the budget that bodies of requests have in memory. */
  public BodyMemory bodyMemory() {
    return bodyMemory;
  }

  /**
   * Sets the budget that bodies of requests have in memory; by default all servers share that of
   * the process, a quarter of the heap.
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
   * FatalErrorPolicy#END_PROCESS}, so that a supervisor starts the process again. Choose {@link
   * FatalErrorPolicy#CLOSE_SERVER} in a program that does other work besides serving this port.
   * Running out of files, or of memory for one request, is never fatal.
   *
   * @param policy the policy
   */
  public ListenOptions onFatalError(FatalErrorPolicy policy) {
    return with(copy -> copy.onFatalError = policy);
  }
}
