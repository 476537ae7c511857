package dev.percolate.openapi;

import dev.percolate.http.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The response with one status code.
 *
 * @param status 100 to 599
 * @param contents the contents by media type; empty if the body is not described
 * @param headers the types of the headers by name
 * @param example an example body; null for none
 * @param description the description in the document
 */
record DescribedResponse(
    int status,
    List<Content> contents,
    Map<String, Class<?>> headers,
    @Nullable Object example,
    String description) {

  static DescribedResponse of(int status) {
    if (status < 100 || status > 599) {
      throw new IllegalArgumentException("answers(" + status + "): status must be 100 to 599");
    }
    String phrase = Status.phrase(status);
    return new DescribedResponse(
        status, List.of(), Map.of(), null, phrase.isEmpty() ? "Status " + status : phrase);
  }

  DescribedResponse with(Content content) {
    List<Content> more = new ArrayList<>(contents);
    more.add(content);
    return new DescribedResponse(status, List.copyOf(more), headers, example, description);
  }

  DescribedResponse withHeader(String name, Class<?> type) {
    Map<String, Class<?>> more = new LinkedHashMap<>(headers);
    more.put(name, type);
    return new DescribedResponse(status, contents, more, example, description);
  }

  DescribedResponse withExample(Object value) {
    return new DescribedResponse(status, contents, headers, value, description);
  }

  DescribedResponse withDescription(String text) {
    return new DescribedResponse(status, contents, headers, example, text);
  }
}
