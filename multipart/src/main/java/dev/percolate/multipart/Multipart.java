package dev.percolate.multipart;

import dev.percolate.core.BodyDecoder;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.core.TypeRef;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.ContentLength;
import dev.percolate.http.Copyable;
import dev.percolate.http.Form;
import dev.percolate.http.HttpError;
import dev.percolate.http.MediaType;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads forms with files, {@code multipart/form-data} (RFC 7578), and passes on.
 *
 * <p>Fields become {@code req.body()}, a map as the parser of plain forms makes it. Their text is
 * decoded by the charset of the part, else by that which a field {@code _charset_} names, else by
 * {@link #defaultCharset}; {@link #FIELDS} has their bytes. Files become {@link #FILES}: temporary
 * files, deleted when the response is complete or the client has gone; or they go to a {@link
 * FileHandler}, piece by piece:
 *
 * <pre>{@code
 * record Album(String title, List<Upload> photos) {}
 *
 * app.post("/photos", Multipart.files().limit("20mb"), (req, res) -> {
 *   Album album = req.form(Album.class);
 *   for (Upload photo : album.photos()) { ... }
 * });
 * }</pre>
 *
 * <p>A part is a file if it has a file name, in any form that senders use, or a type that is not
 * text, such as {@code application/octet-stream}. A file without a name is called {@code file}.
 * Compressed bodies are decoded if {@code percolate-parsers} is there.
 *
 * <p>It is its own options, and each gives a changed copy:
 *
 * <pre>
 *   limit           10mb     how many bytes a body may have, decoded
 *   fileLimit       10mb     how many bytes each file may have
 *   fieldLimit      100kb    how many bytes all fields may have together
 *   maxParts        1000     how many fields and files there may be
 *   maxFiles        100      how many files there may be
 *   headerLimit     8kb      how many bytes the headers of a part may have
 *   nameLimit       255      how many characters a name may have, of a field or a file
 *   extended        false    whether brackets in names of fields nest
 *   defaultCharset  utf-8    of text for which the form names no charset
 *   directory       JDK's    where temporary files are made
 * </pre>
 *
 * <p>A request of another type, without a body, or whose body has been parsed is passed on as it
 * is. What is wrong with a body goes to {@code next.fail} as an {@link HttpError}:
 *
 * <pre>
 *   413 entity.too.large      limit; length or received
 *   413 file.too.large        limit, field
 *   413 fields.too.large      limit
 *   413 parts.too.many        limit
 *   413 files.too.many        limit
 *   413 headers.too.large     limit
 *   413 name.too.long         limit
 *   415 encoding.unsupported  encoding
 *   400 multipart.malformed
 *   400 request.aborted       received
 *   500 stream.not.readable
 * </pre>
 *
 * <p>The body then stays unset. Writing temporary files blocks: not for the thread mode {@code
 * event loop}.
 */
@CheckReturnValue
public final class Multipart extends Copyable<Multipart> implements Middleware, StartCheck {

  /**
   * Names the files of a request, in their order; set, even to an empty list, where a form was
   * read.
   */
  public static final Key<List<Upload>> FILES =
      Key.of("uploaded files", new TypeRef<List<Upload>>() {});

  /** The fields as they were sent, in their order; set where a form was read. */
  public static final Key<List<Field>> FIELDS =
      Key.of("form fields", new TypeRef<List<Field>>() {});

  private @Nullable FileHandler handler;
  private long limit = 10 << 20;
  private long fileLimit = 10 << 20;
  private long fieldLimit = 100 << 10;
  private int maxParts = 1000;
  private int maxFiles = 100;
  private int headerLimit = 8 << 10;
  private int nameLimit = 255;
  private boolean extended;
  private Function<byte[], String> defaultDecoder = Field.decoder("utf-8");
  private @Nullable Path directory;

  private Multipart(@Nullable FileHandler handler) {
    this.handler = handler;
  }

  /**
   * Creates a reader that keeps files in temporary files.
   *
   * @return a reader with default options
   */
  public static Multipart files() {
    return new Multipart(null);
  }

  /**
   * Creates a reader that hands files on as they come; {@link #FILES} stays empty.
   *
   * @param handler takes them
   * @return a reader with default options
   */
  public static Multipart stream(FileHandler handler) {
    return new Multipart(handler);
  }

  /**
   * Limits the size of bodies.
   *
   * @param size a size such as {@code 20mb}, or a plain number of bytes
   * @throws IllegalArgumentException if it is none
   */
  public Multipart limit(String size) {
    long bytes = ByteSize.bytes("limit", size);
    return with(copy -> copy.limit = bytes);
  }

  /**
   * Limits the size of each file.
   *
   * @param size a size such as {@code 5mb}, or a plain number of bytes
   * @throws IllegalArgumentException if it is none
   */
  public Multipart fileLimit(String size) {
    long bytes = ByteSize.bytes("fileLimit", size);
    return with(copy -> copy.fileLimit = bytes);
  }

  /**
   * Limits the size of all fields together, which are held in memory: their content, names and
   * types, and headers that are not UTF-8.
   *
   * @param size a size such as {@code 100kb}, or a plain number of bytes
   * @throws IllegalArgumentException if it is none
   */
  public Multipart fieldLimit(String size) {
    long bytes = ByteSize.bytes("fieldLimit", size);
    return with(copy -> copy.fieldLimit = bytes);
  }

  /**
   * Limits the number of fields and files.
   *
   * @param count at least 1
   * @throws IllegalArgumentException if it is less
   */
  public Multipart maxParts(int count) {
    int parts = positive("maxParts", count);
    return with(copy -> copy.maxParts = parts);
  }

  /**
   * Limits the number of files.
   *
   * @param count at least 1
   * @throws IllegalArgumentException if it is less
   */
  public Multipart maxFiles(int count) {
    int files = positive("maxFiles", count);
    return with(copy -> copy.maxFiles = files);
  }

  /**
   * Limits the size of the headers of each part.
   *
   * @param bytes at least 1
   * @throws IllegalArgumentException if it is less
   */
  public Multipart headerLimit(int bytes) {
    int most = positive("headerLimit", bytes);
    return with(copy -> copy.headerLimit = most);
  }

  /**
   * Limits the length of names, of fields and of files.
   *
   * @param characters at least 1
   * @throws IllegalArgumentException if it is less
   */
  public Multipart nameLimit(int characters) {
    int most = positive("nameLimit", characters);
    return with(copy -> copy.nameLimit = most);
  }

  /**
   * Chooses whether brackets in the names of fields nest, as in {@link Form#extended}.
   *
   * @param extended true to nest
   */
  public Multipart extended(boolean extended) {
    return with(copy -> copy.extended = extended);
  }

  /**
   * Sets the charset of text for which neither the part nor a field {@code _charset_} names one;
   * also of names that are not well-formed UTF-8.
   *
   * @param charset its name, such as {@code windows-1252}
   * @throws IllegalArgumentException if the charset is unknown
   */
  public Multipart defaultCharset(String charset) {
    Function<byte[], String> decoder = Field.decoder(charset);
    return with(copy -> copy.defaultDecoder = decoder);
  }

  /**
   * Sets the directory of temporary files. Default: that of the JDK. The files are deleted when the
   * response is complete or the process ends. Files of a killed process are deleted when the next
   * process that uses the directory starts.
   *
   * @param directory an existing directory
   */
  public Multipart directory(Path directory) {
    return with(copy -> copy.directory = directory);
  }

  /** Deletes the temporary files of killed processes. */
  @Override
  public void checkStart() {
    if (handler == null) {
      TemporaryFolder.deleteLeftovers(directory);
    }
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    MediaType type = MediaType.parse(req.get("Content-Type"));
    boolean isForm = "multipart/form-data".equals(type.type());
    if (!req.hasBody() || req.attrOrNull(Request.BODY_TAKEN) != null) {
      next.run();
      return;
    }
    if (!isForm) {
      req.attr(Request.BODY_PASSED_ON, true);
      next.run();
      return;
    }
    req.attr(Request.BODY_TAKEN, true);
    long length = ContentLength.parse(req.get("Content-Length"));
    Parts parts = new Parts(this, req, res);
    if (length == 0) {
      parts.finish();
      next.run();
      return;
    }
    byte[] boundary = FormReader.boundary(type);
    ChunkReader reader = decoding(req, new FormReader(boundary, parts, limit, next));
    if (!req.readable()) {
      throw new HttpError(500, "the body has been read already", "stream.not.readable", null);
    }
    if (length > limit) {
      throw BodyErrors.tooLarge(limit, length);
    }
    req.read(reader);
  }

  /** Decodes the body for a reader, if it is in a content coding. */
  private ChunkReader decoding(Request req, ChunkReader reader) {
    String coding = req.get("Content-Encoding");
    if (coding == null || coding.isEmpty() || coding.equalsIgnoreCase("identity")) {
      return reader;
    }
    BodyDecoder decoder = BodyDecoder.find();
    if (decoder == null) {
      throw BodyErrors.encoding(coding.toLowerCase(Locale.ROOT));
    }
    return decoder.decoding(req, limit, reader);
  }

  FileSink begin(Request req, Response res, FilePart part) throws Exception {
    return handler == null
        ? TemporaryFile.create(directory, part, res)
        : FileSink.of(handler.begin(req, part));
  }

  long fileLimit() {
    return fileLimit;
  }

  long fieldLimit() {
    return fieldLimit;
  }

  int maxParts() {
    return maxParts;
  }

  int maxFiles() {
    return maxFiles;
  }

  int headerLimit() {
    return headerLimit;
  }

  int nameLimit() {
    return nameLimit;
  }

  Function<byte[], String> defaultDecoder() {
    return defaultDecoder;
  }

  Form grammar() {
    return (extended ? Form.extended() : Form.simple()).parameterLimit(maxParts);
  }

  private static int positive(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + "(" + value + "): not positive");
    }
    return value;
  }
}
