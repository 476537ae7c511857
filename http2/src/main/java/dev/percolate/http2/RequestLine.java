package dev.percolate.http2;

import dev.percolate.http.Headers;

/**
 * What a request asks for.
 *
 * @param method the method
 * @param target the target, undecoded
 * @param headers the headers, {@code host} among them
 */
record RequestLine(String method, String target, Headers headers) {}
