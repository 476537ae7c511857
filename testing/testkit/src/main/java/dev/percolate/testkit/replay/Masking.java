package dev.percolate.testkit.replay;

import dev.percolate.core.JsonCodec;
import dev.percolate.http.MediaType;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Percent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Masks the secrets and personal data of requests and responses. Not thread-safe. */
final class Masking {

  /** The maximum depth of JSON and of multipart bodies within each other. */
  private static final int DEPTH = 100;

  private static final JsonCodec.ReadOptions READING = new JsonCodec.ReadOptions(DEPTH, true);

  private static final Pattern PAIR =
      Pattern.compile("([^\\s\"'&=?;,{}#/<>]{1,200})=([^\\s\"'&;#<>]+|\"[^\"<>]+\"|'[^'<>]+')");

  private static final Pattern JSON_PAIR =
      Pattern.compile(
          "([\"'])((?:[^\"'\\\\]|\\\\.){1,200})\\1\\s*:\\s*"
              + "(\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"|'[^']*'|[\\w.+-]+)");

  /** A percent-encoded value, such as a URL in a query. */
  private static final Pattern ENCODED = Pattern.compile("[\\w.~!*()+/:@,-]*%[\\w.~!*()+/:@,%-]*");

  private static final Pattern ESCAPES = Pattern.compile("(?:%[0-9A-Fa-f]{2})+|[\"'<>&;,]");

  /** Characters that remain escaped, because they end a segment, or a secret in a text. */
  private static final Pattern ENDS = Pattern.compile("[/?#\\s\\p{Cntrl}\"'<>&;,%=${}]");

  private static final Pattern SEGMENT_PAIR =
      Pattern.compile("(?:^|/|%3B)((?:(?!%3B)[^/=]){1,200})=([^/]+?)(?=/|%3B|$)");

  /** A name in JSON in an attribute of HTML. */
  private static final String ENTITY_NAME =
      "(&quot;|&#34;|&#x22;)((?:(?!\\1)[^<>\\s]){1,200})\\1\\s*:\\s*";

  private static final Pattern ENTITY_STRING =
      Pattern.compile(ENTITY_NAME + "\\1((?:[^<>\\\\&]++|\\\\.|(?!\\1)&)++)");
  private static final Pattern ENTITY_NUMBER = Pattern.compile(ENTITY_NAME + "([\\w.+-]+)");

  private static final Pattern XML_ATTRIBUTE =
      Pattern.compile("([\\w:.-]{1,200})\\s*=\\s*(\"[^\"<]+\"|'[^'<]+')");

  private static final Pattern TAG = Pattern.compile("(?i)<(?:input|meta)\\b[^>]*>");
  private static final Pattern ATTRIBUTE =
      Pattern.compile("([\\w:-]{1,100})\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)'|([^\\s\"'>]+))");

  private static final Pattern ELEMENT =
      Pattern.compile(
          "<(?!code\\b|address\\b)([\\w:.-]{1,100})((?:\\s[^<>]*)?)>([^<>]+)</\\1\\s*>");

  private static final Pattern PART_NAME =
      Pattern.compile(
          "(?i)(?:^|[;\\s])name\\*?\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(?:utf-8''|UTF-8'')?([^;\\s]+))");

  private static final Pattern TEXTUAL = Pattern.compile("json|xml|urlenc|script|gra");
  private static final Pattern ENCODED_MARK = Pattern.compile("%24SECRET%7B.*?%7D");
  private static final Pattern CREDENTIALS = Pattern.compile("(?s)(\\S+)\\s+(.+)");

  private final PrivateNames names;
  private final List<Pattern> paths;
  private final SecretMarks marks;

  Masking(PrivateNames names, List<Pattern> paths, SecretMarks marks) {
    this.names = names;
    this.paths = paths;
    this.marks = marks;
  }

  /** Compiles a path such as {@code /reset/:token}, whose parameters are secret. */
  static Pattern path(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (String segment : pattern.substring(1).split("/", -1)) {
      regex.append("/+");
      regex.append(segment.startsWith(":") ? "([^/?#\\s\"'<>&;,]+)" : Pattern.quote(segment));
    }
    return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE);
  }

  /** Returns a request target with masks. */
  String target(String target) {
    int query = target.indexOf('?');
    String sent = query < 0 ? target : target.substring(0, query);
    // Letters may be escaped, other characters not, and dot segments may divide a path.
    String plain =
        ESCAPES
            .matcher(NormalPath.of(sent))
            .replaceAll(run -> Matcher.quoteReplacement(escaped(run.group())));
    String masked = replaced(paths(plain), SEGMENT_PAIR, 1, 2);
    String path = masked.equals(plain) ? paths(sent) : Percent.encodeForHeader(masked);
    return query < 0 ? path : path + "?" + form(target.substring(query + 1));
  }

  /** Decodes a run of escapes, and escapes the characters that end a segment or a secret. */
  private static String escaped(String run) {
    String text = Percent.decode(run);
    return text == null
        ? run
        : ENDS.matcher(text).replaceAll(c -> "%%%02X".formatted((int) c.group().charAt(0)));
  }

  /** Returns the first line of a warning with masks. Other lines repeat a part of the body. */
  String warning(String warning, String target) {
    int end = warning.indexOf('\n');
    String line = end < 0 ? warning : warning.substring(0, end);
    return text(line.replace(target, target(target)));
  }

  /** Returns the value of a header with masks. */
  String header(String name, String value) {
    if (name.equals("cookie")) {
      return cookies(value);
    }
    if (name.equals("set-cookie")) {
      int end = value.indexOf(';');
      return end < 0 ? cookies(value) : cookies(value.substring(0, end)) + value.substring(end);
    }
    if (!names.contain(name)) {
      return text(value);
    }
    Matcher credentials = CREDENTIALS.matcher(value);
    return name.endsWith("authorization") && credentials.matches()
        ? credentials.group(1) + " " + marks.mark(name, credentials.group(2))
        : marks.mark(name, value);
  }

  private String cookies(String line) {
    StringBuilder out = new StringBuilder();
    for (String pair : line.split(";", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? "" : pair.substring(0, equals);
      out.append(out.isEmpty() ? "" : ";").append(equals < 0 ? "" : name + "=");
      out.append(marks.mark("cookie " + name.strip(), pair.substring(equals + 1)));
    }
    return out.toString();
  }

  /**
   * Returns a body with masks: a string, or a map with {@code base64}.
   *
   * @return null if the body cannot be recorded, since it may contain secrets that are not found
   */
  @Nullable Object body(@Nullable String contentType, byte[] bytes) {
    String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
    String text = utf8(bytes);
    if (type.startsWith("multipart/")) {
      String masked = multipart(contentType, latin1(bytes), DEPTH);
      byte[] changed = masked == null ? null : masked.getBytes(StandardCharsets.ISO_8859_1);
      return changed == null ? null : utf8(changed) == null ? base64(changed) : utf8(changed);
    }
    boolean textual = type.isEmpty() || type.startsWith("text/") || TEXTUAL.matcher(type).find();
    if (!textual) {
      // Other formats contain names in clear. In compressed media, names occur by accident.
      boolean media = text == null && type.matches("(?s)(image|audio|video|font)/.*");
      String readable = text == null ? latin1(bytes).replaceAll("[^ -~]+", " ") : text;
      boolean clean = !marks.occurIn(latin1(bytes)) && (media || !names.appearIn(readable));
      return clean ? base64(bytes) : null;
    }
    boolean otherCharset =
        type.contains("charset=") && !type.matches(".*charset=\"?(utf-?8|us-ascii).*");
    return text == null || otherCharset ? null : textual(type, text);
  }

  private @Nullable String textual(String type, String text) {
    if (type.contains("json")) {
      String masked = json(text);
      return masked == null && !names.appearIn(text) ? text(text) : masked;
    }
    if (type.contains("xml") && !type.contains("html")) {
      return text(new XmlMasks(names, marks).masked(text));
    }
    return type.contains("urlencoded") ? form(text) : string(text);
  }

  /** Returns a form or query with masks. */
  private String form(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = pair.substring(0, Math.max(0, equals));
      String value = pair.substring(equals + 1);
      out.append(out.length() == 0 ? "" : "&").append(equals < 0 ? "" : name + "=");
      if (equals >= 0 && names.contain(name)) {
        out.append(marks.mark(Percent.decodeForm(name), Percent.decodeForm(value)));
      } else {
        String plain = Percent.decodeForm(value);
        String masked = string(plain);
        out.append(masked.equals(plain) ? value : encoded(masked));
      }
    }
    return out.toString();
  }

  /** Percent-encodes a text, but not its marks. */
  private static String encoded(String masked) {
    return ENCODED_MARK
        .matcher(Percent.encodeComponent(masked))
        .replaceAll(mark -> Matcher.quoteReplacement(Percent.decodeForm(mark.group())));
  }

  /** Returns JSON with masks; null if the text is not JSON. */
  private @Nullable String json(String text) {
    Object value;
    try {
      value = JsonCodec.find().read(text, READING);
    } catch (IllegalArgumentException e) {
      return null;
    }
    Object masked = value("", false, value);
    // Of two fields with the same name, the tree has only one.
    boolean same = Objects.equals(masked, value) && !names.appearIn(text);
    return same ? text : JsonCodec.find().write(masked, JsonCodec.WriteOptions.COMPACT);
  }

  private @Nullable Object value(String name, boolean secret, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> out = new LinkedHashMap<>();
      map.forEach(
          (key, one) -> {
            String field = String.valueOf(key);
            boolean inside = secret || names.contain(field);
            out.put(field, value(inside && secret ? name : field, inside, one));
          });
      return out;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> out = new ArrayList<>();
      list.forEach(one -> out.add(value(name, secret, one)));
      return out;
    }
    if (value instanceof String text) {
      return secret ? marks.mark(name, text) : string(text);
    }
    if (secret && value instanceof Number) {
      return marks.mark(name, value.toString()).replaceFirst("}$", "#}");
    }
    return value;
  }

  /** Returns a string inside of a body with masks; it may be JSON itself. */
  private String string(String text) {
    String stripped = text.strip();
    if (stripped.startsWith("{") || stripped.startsWith("[")) {
      String json = json(stripped);
      if (json != null) {
        return json;
      }
    }
    return text(text);
  }

  /** Returns free text, HTML or XML with masks where it names its values. */
  private String text(String text) {
    String masked = paths(text);
    if (masked.indexOf('<') >= 0) {
      masked = TAG.matcher(masked).replaceAll(tag -> Matcher.quoteReplacement(tag(tag.group())));
      masked = replaced(masked, ELEMENT, 1, 3);
      masked = replaced(masked, XML_ATTRIBUTE, 1, 2);
    }
    if (masked.indexOf('&') >= 0) {
      masked = replaced(masked, ENTITY_STRING, 2, 3);
      masked = replaced(masked, ENTITY_NUMBER, 2, 3);
    }
    if (masked.indexOf('=') >= 0) {
      masked = replaced(masked, PAIR, 1, 2);
    }
    return masked.indexOf(':') >= 0 ? replaced(masked, JSON_PAIR, 2, 3) : masked;
  }

  /** Masks the values that follow private names. */
  private String replaced(String text, Pattern pattern, int nameGroup, int valueGroup) {
    StringBuilder out = new StringBuilder(text.length());
    Matcher matcher = pattern.matcher(text);
    int copied = 0;
    int from = 0;
    while (from <= text.length() && matcher.find(from)) {
      String name = PrivateNames.unescaped(matcher.group(nameGroup));
      String value = matcher.group(valueGroup);
      if (names.contain(name) && !value.contains("$SECRET{")) {
        boolean quoted = value.length() > 1 && "\"'".indexOf(value.charAt(0)) >= 0;
        String plain = quoted ? value.substring(1, value.length() - 1) : value;
        String quote = quoted ? value.substring(0, 1) : "";
        out.append(text, copied, matcher.start(valueGroup));
        out.append(quote).append(marks.mark(name, decoded(plain, pattern))).append(quote);
        copied = matcher.end(valueGroup);
        from = copied;
      } else {
        String inner = pattern == PAIR ? nested(value) : value;
        if (inner.equals(value)) {
          from = matcher.end(nameGroup) + 1;
        } else {
          out.append(text, copied, matcher.start(valueGroup)).append(inner);
          copied = matcher.end(valueGroup);
          from = copied;
        }
      }
    }
    return out.append(text, copied, text.length()).toString();
  }

  /** Returns a value in the form that has a mark, without the escapes of its syntax. */
  private static String decoded(String value, Pattern pattern) {
    if (pattern == PAIR) {
      return Percent.decodeQuery(value);
    } else if (pattern == SEGMENT_PAIR) {
      return decoded(value);
    }
    boolean entities =
        pattern == XML_ATTRIBUTE || pattern == ENTITY_STRING || pattern == ENTITY_NUMBER;
    return entities ? Entities.decoded(value) : value;
  }

  private static String decoded(String segment) {
    String text = Percent.decode(segment);
    return text == null ? segment : text;
  }

  /** Masks a percent-encoded value that contains names and values itself. */
  private String nested(String value) {
    if (!ENCODED.matcher(value).matches()) {
      return value;
    }
    String plain = Percent.decodeQuery(value);
    String masked = plain.equals(value) ? plain : string(plain);
    if (masked.equals(plain)) {
      return value;
    }
    String coded = encoded(masked);
    for (String sign : List.of("/", ":", "@", ",")) {
      coded = value.contains(sign) ? coded.replace(Percent.encodeComponent(sign), sign) : coded;
    }
    return coded;
  }

  /** Masks the value of a form field or a meta element with a private name. */
  private String tag(String tag) {
    String name = "";
    for (Matcher each = ATTRIBUTE.matcher(tag); each.find(); ) {
      boolean names = each.group(1).matches("(?i)name|id|property");
      name = names && !this.names.contain(name) ? attribute(each) : name;
    }
    if (!names.contain(name)) {
      return tag;
    }
    StringBuilder out = new StringBuilder();
    int copied = 0;
    for (Matcher each = ATTRIBUTE.matcher(tag); each.find(); ) {
      if (each.group(1).matches("(?i)value|content")) {
        int group = each.group(2) != null ? 2 : each.group(3) != null ? 3 : 4;
        out.append(tag, copied, each.start(group))
            .append(marks.mark(name, Entities.decoded(attribute(each))));
        copied = each.end(group);
      }
    }
    return out.append(tag, copied, tag.length()).toString();
  }

  private static String attribute(Matcher matcher) {
    String quoted = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
    return quoted == null ? matcher.group(4) : quoted;
  }

  private String paths(String text) {
    String masked = text;
    for (Pattern path : paths) {
      StringBuilder out = new StringBuilder();
      int copied = 0;
      for (Matcher match = path.matcher(masked); match.find(); ) {
        for (int i = 1; i <= match.groupCount(); i++) {
          out.append(masked, copied, match.start(i));
          out.append(marks.mark("path", decoded(match.group(i))));
          copied = match.end(i);
        }
      }
      masked = out.append(masked, copied, masked.length()).toString();
    }
    return masked;
  }

  /** Masks the parts of a multipart body, as ISO-8859-1; null if it is malformed. */
  private @Nullable String multipart(@Nullable String contentType, String body, int levels) {
    MediaType type = contentType == null ? null : MediaType.parse(contentType);
    String boundary = type == null ? null : type.parameter("boundary");
    if (boundary == null || boundary.isEmpty() || levels == 0) {
      return null;
    }
    StringBuilder out = new StringBuilder(body.length());
    String[] parts = ("\r\n" + body).split(Pattern.quote("\r\n--" + boundary), -1);
    for (int i = 0; i < parts.length; i++) {
      int head = parts[i].indexOf("\r\n\r\n");
      boolean last = parts[i].startsWith("--");
      if (i > 0 && !last && head < 0) {
        return null;
      }
      out.append(i == 0 ? "" : "\r\n--" + boundary);
      if (i > 0 && !last) {
        String content = part(parts[i].substring(0, head), parts[i].substring(head + 4), levels);
        if (content == null) {
          return null;
        }
        out.append(known(parts[i].substring(0, head))).append("\r\n\r\n").append(content);
      } else {
        out.append(last ? parts[i].substring(0, 2) + "\r\n" : ""); // no preamble, no epilogue
      }
    }
    return out.length() < 2 ? null : out.substring(2);
  }

  private @Nullable String part(String head, String content, int levels) {
    String type = "";
    for (String line : head.split("\r\n", -1)) {
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(0, colon)).strip().toLowerCase(Locale.ROOT);
      if (name.equals("content-type")) {
        type = line.substring(colon + 1).strip();
      }
      Matcher field = PART_NAME.matcher(line);
      if (name.equals("content-disposition") && field.find()) {
        boolean quoted = field.group(1) != null;
        String given = quoted ? field.group(1).replaceAll("\\\\(.)", "$1") : field.group(2);
        String plain = Percent.decodeQuery(utf8OrSame(given));
        if (names.contain(plain)) {
          return latin1(marks.mark(plain, utf8OrSame(content)).getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    if (type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
      return multipart(type, content, levels - 1);
    }
    Object masked = body(type, content.getBytes(StandardCharsets.ISO_8859_1));
    return masked instanceof String text
        ? known(latin1(text.getBytes(StandardCharsets.UTF_8))) // the whole may become base64
        : masked == null ? null : content;
  }

  /** Masks known values in UTF-8; the text and the result are bytes as ISO-8859-1. */
  private String known(String bytes) {
    String text = utf8(bytes.getBytes(StandardCharsets.ISO_8859_1));
    return text == null ? bytes : latin1(marks.everywhere(text).getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, String> base64(byte[] bytes) {
    return Map.of("base64", Base64.getEncoder().encodeToString(bytes));
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String utf8OrSame(String latin1) {
    String text = utf8(latin1.getBytes(StandardCharsets.ISO_8859_1));
    return text == null ? latin1 : text;
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
