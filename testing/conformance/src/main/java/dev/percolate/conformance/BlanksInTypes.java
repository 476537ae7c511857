package dev.percolate.conformance;

import dev.percolate.engine.Service;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes {@code text/html;charset=utf-8} in responses to {@code text/html; charset=utf-8}. Servlet
 * containers write types in their own form, which is equivalent (RFC 9110 section 5.6.6).
 *
 * @param transport sends the requests
 */
record BlanksInTypes(Transport transport) implements Transport {

  private static final String TYPE = "content-type";

  @Override
  public @Nullable String rejection(Map<String, @Nullable Object> request) {
    return transport.rejection(request);
  }

  @Override
  public Map<String, @Nullable Object> exchange(
      Service service, Map<String, @Nullable Object> request)
      throws IOException, InterruptedException {
    Map<String, @Nullable Object> answer = new HashMap<>(transport.exchange(service, request));
    if (answer.get("headers") instanceof Map<?, ?> given
        && given.get(TYPE) instanceof String type) {
      Map<Object, @Nullable Object> headers = new HashMap<>(given);
      headers.put(TYPE, type.replace(";charset=", "; charset="));
      answer.put("headers", headers);
    }
    return answer;
  }

  @Override
  public void close() {
    transport.close();
  }
}
