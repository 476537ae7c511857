package dev.percolate.multipart;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.nio.NioEngine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A server that responds with the parsed values of each sender's form. */
final class SentForms implements AutoCloseable {

  static final byte[] CONTENT = {
    (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, (byte) 0xFF, (byte) 0xFE, 0, '-', '-'
  };

  static final String TEXT = "M\u00fcller";
  static final String FILE = "Gr\u00fc\u00dfe.bin";
  static final String TYPE = "application/octet-stream";
  private static final String HEX = "89504e470d0a1afffe002d2d";

  private final Server server;

  SentForms(Multipart options) throws IOException {
    ListenOptions local = ListenOptions.ofPort(0).host("127.0.0.1");
    server = new NioEngine().listen(Forms.service(options), local);
  }

  String url() {
    return "http://127.0.0.1:" + server.port() + "/form";
  }

  /** Returns the parsed values of a form whose file has another name or type. */
  static String read(String fileName, String type) {
    return "{name=" + TEXT + "} photo:" + fileName + ":" + type + ":" + HEX;
  }

  /** Sends the bytes of a request, and returns the body of the response. */
  String play(byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      OutputStream out = socket.getOutputStream();
      out.write(request);
      out.flush();
      return response(socket.getInputStream());
    }
  }

  private static String response(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("no response: " + head);
      }
      head.write(b);
    }
    int length = 0;
    for (String line : head.toString(StandardCharsets.ISO_8859_1).split("\r\n", -1)) {
      if (line.regionMatches(true, 0, "Content-Length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.close();
  }
}
