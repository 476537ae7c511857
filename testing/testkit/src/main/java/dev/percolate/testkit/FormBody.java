package dev.percolate.testkit;

import dev.percolate.http.Form;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The body of a form: URL-encoded pairs, or {@code multipart/form-data} (RFC 7578) with files. */
final class FormBody {

  static final FormBody EMPTY = new FormBody(List.of());

  private final List<Field> fields;

  /**
   * A field.
   *
   * @param head the headers of its part after the name; empty for a plain field
   * @param value the bytes of the value, as ISO-8859-1
   */
  private record Field(String name, String head, String value) {

    byte[] bytes() {
      return value.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  private FormBody(List<Field> fields) {
    this.fields = fields;
  }

  FormBody with(String name, String value) {
    return with(new Field(name, "", bytesOf(utf8(value))));
  }

  FormBody with(String name, String fileName, String type, byte[] content) {
    String head = "; filename=\"" + quoted(fileName) + "\"\r\nContent-Type: " + type;
    return with(new Field(name, head, bytesOf(content)));
  }

  private FormBody with(Field field) {
    List<Field> more = new ArrayList<>(fields);
    more.add(field);
    return new FormBody(List.copyOf(more));
  }

  String type() {
    return hasFile()
        ? "multipart/form-data; boundary=" + boundary()
        : "application/x-www-form-urlencoded";
  }

  byte[] bytes() {
    return hasFile() ? parts() : pairs().getBytes(StandardCharsets.US_ASCII);
  }

  private boolean hasFile() {
    return fields.stream().anyMatch(field -> !field.head.isEmpty());
  }

  private String pairs() {
    StringBuilder out = new StringBuilder();
    for (Field field : fields) {
      String value = new String(field.bytes(), StandardCharsets.UTF_8);
      out.append(out.isEmpty() ? "" : "&").append(Form.pair(field.name, value));
    }
    return out.toString();
  }

  private byte[] parts() {
    String boundary = boundary();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Field field : fields) {
      String name = quoted(field.name);
      String head = "Content-Disposition: form-data; name=\"" + name + "\"" + field.head;
      out.writeBytes(utf8("--" + boundary + "\r\n" + head + "\r\n\r\n"));
      out.writeBytes(field.bytes());
      out.writeBytes(utf8("\r\n"));
    }
    out.writeBytes(utf8("--" + boundary + "--\r\n"));
    return out.toByteArray();
  }

  /** Returns a boundary that no value contains. It depends only on the fields. */
  private String boundary() {
    String boundary = "percolate-call";
    for (Field field : fields) {
      while (field.value.contains(boundary)) {
        boundary += "-";
      }
    }
    return boundary;
  }

  /** Escapes a name or file name as browsers do. */
  private static String quoted(String name) {
    return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String bytesOf(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
