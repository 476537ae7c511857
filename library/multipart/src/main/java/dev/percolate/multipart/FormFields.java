package dev.percolate.multipart;

import dev.percolate.http.Charsets;
import dev.percolate.http.Form;
import dev.percolate.http.Utf8;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one form. Their charset is that of the part, else that of a field {@code _charset_}
 * (RFC 7578 section 4.6), anywhere in the form, else that of the options.
 */
final class FormFields {

  private static final String CHARSET_FIELD = "_charset_";

  private final List<Sent> sent = new ArrayList<>();
  private Function<byte[], String> decoder;
  private boolean charsetKnown;

  /**
   * A received field.
   *
   * @param name its name as decoded so far
   * @param undecoded the header that has the name, with one character per byte, if a charset that
   *     is named later may change it; null if it is UTF-8
   */
  private record Sent(
      String name,
      @Nullable String undecoded,
      @Nullable String type,
      ByteArrayOutputStream content) {}

  /**
   * Creates a form without fields.
   *
   * @param decoder decodes text that names no charset
   */
  FormFields(Function<byte[], String> decoder) {
    this.decoder = decoder;
  }

  /**
   * Begins a field.
   *
   * @param name its name, decoded by {@link #headerText}
   * @param disposition the header that has the name, with one character per byte
   * @param type the type of the part; null if it has none
   * @return how many characters of these are kept
   */
  int begin(String name, String disposition, @Nullable String type) {
    readCharset();
    String undecoded = utf8(disposition) == null ? disposition : null;
    sent.add(new Sent(name, undecoded, type, new ByteArrayOutputStream()));
    return name.length() + length(undecoded) + length(type);
  }

  /** Adds content to the last field. */
  void add(ByteBuffer piece) {
    byte[] bytes = new byte[piece.remaining()];
    piece.get(bytes);
    last().content().writeBytes(bytes);
  }

  /** Decodes a header as UTF-8, as browsers send it, or in the charset of the form so far. */
  String headerText(String header) {
    readCharset();
    String text = utf8(header);
    return text == null ? decoder.apply(header.getBytes(StandardCharsets.ISO_8859_1)) : text;
  }

  /** Returns the fields in order. */
  List<Field> all() {
    return sent.stream()
        .map(one -> new Field(name(one), one.type(), one.content().toByteArray()))
        .toList();
  }

  /** Returns the fields as a plain form in UTF-8, for the parser of plain forms. */
  String plainForm() {
    readCharset();
    StringBuilder form = new StringBuilder();
    for (Sent one : sent) {
      Function<byte[], String> own = new PartType(one.type()).decoder();
      String text = (own == null ? decoder : own).apply(one.content().toByteArray());
      form.append(form.isEmpty() ? "" : "&");
      form.append(Form.pair(name(one), text));
    }
    return form.toString();
  }

  private String name(Sent field) {
    String header = field.undecoded();
    String name = header == null ? field.name() : Disposition.parse(headerText(header)).name();
    return name == null ? "" : name;
  }

  /** Returns the text of a header that is UTF-8; null for any other. */
  private static @Nullable String utf8(String header) {
    byte[] bytes = header.getBytes(StandardCharsets.ISO_8859_1);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  /**
   * Reads the charset from the last field once it is complete. Only the first {@code _charset_}
   * field applies.
   */
  private void readCharset() {
    if (charsetKnown || sent.isEmpty()) {
      return;
    }
    Sent field = last();
    String header = field.undecoded();
    String name = header == null ? field.name() : Disposition.parse(header).name();
    if (CHARSET_FIELD.equals(name)) {
      charsetKnown = true;
      Function<byte[], String> found =
          Charsets.find(Utf8.text(field.content().toByteArray()).strip());
      decoder = found == null ? decoder : found;
    }
  }

  private Sent last() {
    return sent.get(sent.size() - 1);
  }
}
