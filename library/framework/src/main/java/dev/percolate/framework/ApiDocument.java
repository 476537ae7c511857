package dev.percolate.framework;

import java.util.Map;

/** Middleware with a document about an API, such as OpenAPI, that tools for development show. */
public interface ApiDocument {

  /** Returns the document as maps and lists. */
  Map<String, Object> document();
}
