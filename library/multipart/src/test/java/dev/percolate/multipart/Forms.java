package dev.percolate.multipart;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HexFormat;

/** Sends forms with boundary {@code X} and formats the parsed values. */
final class Forms {

  private Forms() {}

  /** Returns the bytes of a form: each {@code \n} is a CRLF, each other character one byte. */
  static byte[] bytes(String form) {
    return form.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns a text as UTF-8, with one character per byte. */
  static String utf8(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Parses a form, whole and byte by byte, and returns fields and files, or the error type. */
  static String read(Multipart options, String type, byte[] form) {
    String whole = read(options, type, form, form.length);
    String bytes = read(options, type, form, 1);
    if (!whole.equals(bytes)) {
      throw new AssertionError("whole: " + whole + "; byte by byte: " + bytes);
    }
    return whole;
  }

  static String read(Multipart options, String form) {
    return read(options, "multipart/form-data; boundary=X", bytes(form));
  }

  private static String read(Multipart options, String type, byte[] form, int size) {
    try (MemoryEngine engine = new MemoryEngine();
        TestConnection connection =
            Call.post("/")
                .header("Content-Type", type)
                .chunked()
                .open(engine.client(service(options)))) {
      for (int at = 0; at < form.length; at += size) {
        byte[] piece = new byte[Math.min(size, form.length - at)];
        System.arraycopy(form, at, piece, 0, piece.length);
        connection.send(piece);
      }
      return show(connection.finish().reply());
    }
  }

  static String show(Reply reply) {
    return reply.status() == 200 ? reply.text() : reply.status() + " " + reply.text();
  }

  /** Responds with the fields, then name, type and bytes of each file; or with the error type. */
  static Service service(Multipart options) {
    Handler show =
        (req, res) -> {
          StringBuilder text = new StringBuilder(String.valueOf(req.body()));
          for (Upload file : req.attr(Multipart.FILES)) {
            byte[] content = Files.readAllBytes(file.path());
            text.append(' ').append(file.field()).append(':').append(file.name()).append(':');
            text.append(file.type()).append(':').append(HexFormat.of().formatHex(content));
          }
          res.send(text.toString());
        };
    ErrorHandler errors =
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) ->
                res.status(error.status()).send(String.valueOf(error.type())));
    return Chain.service(new Settings().set("env", "test"), options, show, errors);
  }
}
