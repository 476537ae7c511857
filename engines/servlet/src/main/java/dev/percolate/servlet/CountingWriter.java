package dev.percolate.servlet;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Counts the encoded bytes of the text that a servlet writes. */
final class CountingWriter extends PrintWriter {

  private final Charset charset;
  private final boolean utf8;
  private final WrappedResponse response;

  CountingWriter(PrintWriter to, Charset charset, WrappedResponse response) {
    super(to);
    this.charset = charset;
    this.utf8 = charset.equals(StandardCharsets.UTF_8);
    this.response = response;
  }

  @Override
  public void write(int c) {
    response.begin();
    super.write(c);
    response.count(bytes(String.valueOf((char) c), 0, 1));
  }

  @Override
  public void write(char[] text, int offset, int length) {
    response.begin();
    super.write(text, offset, length);
    response.count(bytes(new String(text, offset, length), 0, length));
  }

  @Override
  public void write(String text, int offset, int length) {
    response.begin();
    super.write(text, offset, length);
    response.count(bytes(text, offset, length));
  }

  @Override
  public void println() {
    response.begin();
    super.println();
    response.count(System.lineSeparator().length());
  }

  @Override
  public void flush() {
    response.begin();
    super.flush();
  }

  @Override
  public void close() {
    response.begin();
    super.close();
  }

  private long bytes(String text, int offset, int length) {
    if (!utf8) {
      return text.substring(offset, offset + length).getBytes(charset).length;
    }
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else {
        // a surrogate counts 2 of 4 bytes: its other half may be in another call
        bytes += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      }
    }
    return bytes;
  }
}
