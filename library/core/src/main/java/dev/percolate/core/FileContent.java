package dev.percolate.core;

import dev.percolate.engine.Exchange;
import dev.percolate.http.ETag;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.BasicFileAttributes;

/** The content of an open file. The code that holds it must send or close it. */
sealed interface FileContent extends AutoCloseable {

  /** Returns the open file. */
  Closeable source();

  /** Returns the size in bytes. */
  long size();

  /** Creates the entity tag. */
  String tag(BasicFileAttributes attributes);

  /** Ends the response with a part of the content, and closes the content. */
  void send(Exchange exchange, FileRange part);

  @Override
  default void close() {
    try {
      source().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An open file of the file system, with its size when it was opened. */
  record OfChannel(FileChannel source, long size) implements FileContent {

    @Override
    public String tag(BasicFileAttributes attributes) {
      return ETag.ofFile(size, attributes.lastModifiedTime().toMillis());
    }

    @Override
    public void send(Exchange exchange, FileRange part) {
      exchange.sendFile(source, part.offset(), part.length());
    }
  }

  /**
   * An open entry of a jar. Its entity tag uses the checksum, because builds may set a fixed time.
   */
  record OfStream(InputStream source, long size, long checksum) implements FileContent {

    @Override
    public String tag(BasicFileAttributes attributes) {
      return ETag.ofChecksum(size, checksum);
    }

    @Override
    public void send(Exchange exchange, FileRange part) {
      new StreamPump(exchange, source, part.length()).startAt(part.offset());
    }
  }

  /**
   * The part of a file to send.
   *
   * @param offset the index of its first byte
   * @param length its number of bytes
   */
  record FileRange(long offset, long length) {

    /** Returns the part that the options select. */
    static FileRange of(long size, FileOptions options) {
      long start = Math.min(options.start, size);
      long end = Math.min(options.end, size - 1);
      return new FileRange(start, Math.max(0, end - start + 1));
    }
  }
}
