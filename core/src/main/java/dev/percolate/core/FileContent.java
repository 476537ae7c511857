package dev.percolate.core;

import dev.percolate.engine.Exchange;
import dev.percolate.http.ETag;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.BasicFileAttributes;

/** Holds the bytes of an open file; the one who holds it sends or closes it. */
sealed interface FileContent extends AutoCloseable {

  /** Returns how many bytes it has. */
  long size();

  /** Creates its entity tag. */
  String tag(BasicFileAttributes attributes);

  /** Ends the answer by a part of it, and closes it. */
  void send(Exchange exchange, FileRange part);

  @Override
  void close();

  /** Holds an open file of the file system, and its size when it was opened. */
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

  /** Holds an open entry of a jar; its checksum tells more than its time, which builds may fix. */
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
