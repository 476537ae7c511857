package dev.percolate.core;

import dev.percolate.http.Headers;
import org.jspecify.annotations.Nullable;

/** A response, as the sending of a file sees it. */
interface FileResponse {

  /** Returns the settings of the application at work. */
  Settings settings();

  /** Returns the method of the request. */
  String method();

  /** Returns the headers of the request. */
  Headers received();

  /** Tells whether paths are in their normal form; see {@link Request#normalised}. */
  boolean normalised();

  int status();

  void status(int code);

  /** Returns the headers of the answer, to be changed. */
  Headers headers();

  /** Returns the charset of types without one; null for none. */
  @Nullable String charset();

  void vary(String field);

  /** Takes the right to answer, or throws because somebody else has it. */
  void claim();

  /** Gives that right back; the headers stay. */
  void reopen();

  /** Gives that right back, with what described the body. */
  void release();

  /**
   * Removes what describes the body, and lets caches keep it, from the headers of an error.
   *
   * @param status the status of the error
   */
  void forgetBody(int status);

  /** Removes headers, unless they have gone out. */
  void forget(String... names);

  /** Runs the hooks and starts the answer. */
  void start(long length);

  /** Tells whether an answer with the status as it is now has a body. */
  boolean hasBody();

  /** Ends the answer by a part of a file. */
  void send(FileContent file, FileRange part);

  /** Ends the answer without a body. */
  void end();
}
