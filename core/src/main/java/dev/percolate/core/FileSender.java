package dev.percolate.core;

import dev.percolate.http.Headers;
import dev.percolate.http.HttpDate;
import dev.percolate.http.MimeTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Sends one file as the answer to one request. */
final class FileSender {

  private FileSender() {}

  static void send(Path file, Request req, Response res) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        throw new HttpError(404);
      }
      send(file, FileChannel.open(file, StandardOpenOption.READ), attributes, req, res);
    } catch (NoSuchFileException e) {
      throw new HttpError(404);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(
      Path file, FileChannel open, BasicFileAttributes attributes, Request req, Response res)
      throws IOException {
    boolean given = false;
    try {
      long size = open.size();
      res.answer().claim();
      describe(file, attributes, size, req, res);
      res.start(true);
      if (res.hasBody() && size > 0) {
        given = true;
        res.answer().sendFile(open, 0, size);
      } else {
        res.answer().end(ByteBuffer.allocate(0));
      }
    } finally {
      if (!given) {
        open.close();
      }
    }
  }

  private static void describe(
      Path file, BasicFileAttributes attributes, long size, Request req, Response res) {
    try {
      Headers headers = res.headers();
      if (!headers.contains("Content-Type")) {
        String type = MimeTypes.ofPath(file.toString());
        String charset = type.startsWith("text/") ? "; charset=UTF-8" : "";
        headers.set("Content-Type", type + charset);
      }
      if (!headers.contains("Last-Modified")) {
        long modified = attributes.lastModifiedTime().toMillis();
        headers.set("Last-Modified", HttpDate.format(modified));
      }
      headers.set("Content-Length", Long.toString(size));
      if (req.fresh()) {
        res.status(304);
        headers.remove("Content-Type").remove("Content-Length");
      }
    } catch (Throwable e) {
      res.release();
      throw e;
    }
  }
}
