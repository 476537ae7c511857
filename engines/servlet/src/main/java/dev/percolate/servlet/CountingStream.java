package dev.percolate.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** Counts the bytes that a servlet writes. */
final class CountingStream extends ServletOutputStream {

  private final ServletOutputStream to;
  private final WrappedResponse response;

  CountingStream(ServletOutputStream to, WrappedResponse response) {
    this.to = to;
    this.response = response;
  }

  @Override
  public void write(int b) throws IOException {
    response.begin();
    to.write(b);
    response.count(1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    response.begin();
    to.write(bytes, offset, length);
    response.count(length);
  }

  @Override
  public void flush() throws IOException {
    response.begin();
    to.flush();
  }

  @Override
  public void close() throws IOException {
    response.begin();
    to.close();
  }

  @Override
  public boolean isReady() {
    return to.isReady();
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    to.setWriteListener(listener);
  }
}
