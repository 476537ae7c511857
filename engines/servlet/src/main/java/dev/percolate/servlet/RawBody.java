package dev.percolate.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Replays a body that a parser has read and kept. */
final class RawBody extends ServletInputStream {

  private final ByteArrayInputStream bytes;

  RawBody(byte[] body) {
    this.bytes = new ByteArrayInputStream(body);
  }

  @Override
  public int read() {
    return bytes.read();
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    return bytes.read(target, offset, length);
  }

  @Override
  public int available() {
    return bytes.available();
  }

  @Override
  public boolean isFinished() {
    return bytes.available() == 0;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  /** Calls the listener at once, since the whole body is available. */
  @Override
  public void setReadListener(ReadListener listener) {
    try {
      if (!isFinished()) {
        listener.onDataAvailable();
      }
      if (isFinished()) {
        listener.onAllDataRead();
      }
    } catch (IOException | RuntimeException e) {
      listener.onError(e);
    }
  }
}
