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

  /** Returns the size in bytes. */
  long size();

  /** Creates the entity tag. */
  String tag(BasicFileAttributes attributes);

  /** Ends the response with a part of the content, and closes the content. */
  void send(Exchange exchange, FileRange part);

  @Override
  void close();

  /** An open file of the file system, with its size when it was opened. */
  record OfChannel(FileChannel channel, long size) implements FileContent {

    @Override
    public String tag(BasicFileAttributes attributes) {
      return ETag.ofFile(size, attributes.lastModifiedTime().toMillis());
    }

    @Override
    public void send(Exchange exchange, FileRange part) {
      exchange.sendFile(channel, part.offset(), part.length());
    }

    @Override
    public void close() {
      FileContent.close(channel);
    }
  }

  /**
   * An open entry of a jar. Its entity tag uses the checksum, because builds may set a fixed time.
   */
  record OfStream(InputStream stream, long size, long checksum) implements FileContent {

    @Override
    public String tag(BasicFileAttributes attributes) {
      return ETag.ofChecksum(size, checksum);
    }

    @Override
    public void send(Exchange exchange, FileRange part) {
      new StreamPump(exchange, stream, part.length()).startAt(part.offset());
    }

    @Override
    public void close() {
      FileContent.close(stream);
    }
  }

  private static void close(Closeable open) {
    try {
      open.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
