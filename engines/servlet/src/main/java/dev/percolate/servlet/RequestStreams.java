package dev.percolate.servlet;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.RequestHead;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The request head, and the streams of the request body and response body. */
interface RequestStreams extends RequestHead {

  /**
   * Returns the stream of the request body. Called at most once.
   *
   * @throws IOException if the client disconnected
   */
  InputStream body() throws IOException;

  /**
   * Starts the response.
   *
   * @param status the status code
   * @param headers the headers of the response
   * @param length the length of the body in bytes; 0 if it cannot have one, -1 if unknown
   * @return the stream for the body; closing it ends the response
   * @throws IOException if the client disconnected
   */
  OutputStream start(int status, Headers headers, long length) throws IOException;

  /** Returns true if the container has begun to send the response. */
  boolean committed();

  /**
   * Returns true if the connection can be upgraded. Called for an HTTP/1.1 request that asks for
   * another protocol, has no body, and has no response yet.
   */
  boolean upgrades();

  /**
   * Sends 101, and upgrades the connection when the thread of the request has returned; see {@link
   * Exchange#upgrade}.
   *
   * @param headers the headers of the response, including {@code Upgrade}
   * @param taken called once, when the connection can be read and written, or is closed
   * @param gone called when the connection is closed, possibly several times
   * @return the connection
   * @throws IllegalStateException if the connection cannot be upgraded; nothing was sent
   */
  ServletConnection upgrade(Headers headers, Runnable taken, Exchange.OnEnd gone);
}
