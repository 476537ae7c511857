package dev.percolate.core;

import dev.percolate.http.Headers;
import org.jspecify.annotations.Nullable;

/** The parts of a response that are needed to send a file. */
interface FileResponse {

  /** Returns the settings of the current application. */
  Settings settings();

  /** Returns the method of the request. */
  String method();

  /** Returns the headers of the request. */
  Headers received();

  /** Returns true if paths are normalised; see {@link RequestControl#normalised}. */
  boolean normalised();

  int status();

  void status(int code);

  /** Returns the headers of the response, which may be changed. */
  Headers headers();

  /** Returns the charset for types without one; null for none. */
  @Nullable String charset();

  void vary(String field);

  /** Claims the response, or throws if it is already claimed. */
  void claim();

  /** Releases the claim, and keeps the headers. */
  void reopen();

  /** Releases the claim, and removes the headers that describe the body. */
  void release();

  /**
   * Removes the headers that describe the body or allow caches to store it, for an error response.
   *
   * @param status the status code of the error
   */
  void forgetBody(int status);

  /** Removes headers, unless they have been sent. */
  void forget(String... names);

  /** Runs the hooks and starts the response. */
  void start(long length);

  /** Returns true if a response with the current status code has a body. */
  boolean hasBody();

  /** Ends the response with a part of a file. */
  void send(FileContent file, FileRange part);

  /** Ends the response without a body. */
  void end();
}
