package dev.percolate.http2;

import dev.percolate.http.Headers;

/**
 * The request line and headers of a request.
 *
 * @param method the method
 * @param target the target, undecoded
 * @param headers the headers, including {@code host}
 */
record RequestLine(String method, String target, Headers headers) {}
