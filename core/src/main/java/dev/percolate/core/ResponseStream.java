package dev.percolate.core;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Writes a response's body as a stream. */
final class ResponseStream extends OutputStream {

  private final Response res;
  private boolean closed;

  ResponseStream(Response res) {
    this.res = res;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
    if (length > 0) {
      res.write(Arrays.copyOfRange(bytes, offset, offset + length));
    }
  }

  @Override
  public void flush() throws IOException {
    if (!closed) {
      res.flush();
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      res.end();
    }
  }
}
