package dev.percolate.conformance;

import dev.percolate.engine.Service;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sends requests in memory. */
final class MemoryCalls implements Transport {

  private static final long ABORT_MILLIS = 40;

  private final MemoryEngine engine = new MemoryEngine();

  @Override
  public @Nullable String rejection(Map<String, @Nullable Object> request) {
    if (request.containsKey("raw")) {
      return "raw bytes need a socket";
    }
    boolean host =
        RequestBytes.headers(request).stream().anyMatch(x -> x[0].equalsIgnoreCase("Host"));
    return host ? null : "a request without Host needs a socket";
  }

  @Override
  public Map<String, @Nullable Object> exchange(
      Service service, Map<String, @Nullable Object> request) throws InterruptedException {
    byte[] body = RequestBytes.body(request.get("body"));
    Call call = Call.of(RequestBytes.method(request), RequestBytes.path(request));
    boolean framed = false;
    for (String[] line : RequestBytes.headers(request)) {
      call = call.header(line[0], line[1]);
      framed |= line[0].equalsIgnoreCase("Content-Length");
    }
    boolean chunked = ScriptValues.isTrue(request.get("chunked"));
    if (body != null && !framed && !chunked && !request.containsKey("abortAfter")) {
      call = call.body(body);
    } else if (body != null && !framed && !chunked) {
      call = call.header("Content-Length", Integer.toString(body.length));
    }
    call = chunked ? call.chunked() : call;
    try (Client client = engine.client(service);
        TestConnection connection = call.open(client)) {
      if (body != null && (framed || chunked || request.containsKey("abortAfter"))) {
        sendBody(connection, body, request);
      }
      if (request.containsKey("abortAfter") || request.containsKey("hangUpAfter")) {
        Object millis = request.getOrDefault("hangUpAfter", ABORT_MILLIS);
        TimeUnit.MILLISECONDS.sleep(((Number) ScriptValues.orUndefined(millis)).longValue());
        connection.disconnect();
        return Answers.word("aborted");
      }
      return answer(connection.reply());
    } catch (AssertionError e) {
      return Answers.word("timeout");
    }
  }

  @Override
  public void close() {
    engine.close();
  }

  private static void sendBody(
      TestConnection connection, byte[] body, Map<String, @Nullable Object> request) {
    if (request.get("abortAfter") instanceof Number count) {
      connection.send(Arrays.copyOf(body, Math.min(body.length, count.intValue())));
    } else {
      connection.send(body).finish();
    }
  }

  private static Map<String, @Nullable Object> answer(Reply reply) {
    if (reply.status() == 0) {
      return Answers.word("empty");
    }
    Map<String, String> headers = new TreeMap<>();
    reply.headers().forEach((name, value) -> Answers.header(name, value, headers));
    return Answers.of(reply.status(), headers, reply.bytes());
  }
}
