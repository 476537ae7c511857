package dev.percolate.multipart;

import dev.percolate.core.BodyDecoder;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
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
import dev.percolate.http.Quantity;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads forms with file uploads, {@code multipart/form-data} (RFC 7578).
 *
 * <p>Fields become {@code req.body()}, a map as for plain forms. Their charset is that of the part,
 * else that of a field {@code _charset_}, else {@link #defaultCharset}. {@link #FIELDS} holds their
 * bytes. Files become {@link #FILES}: temporary files that are deleted when the response is
 * complete or the client has disconnected. A {@link FileHandler} can receive files as streams
 * instead:
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
 * <p>A part is a file if it has a file name, in any form that clients use. It is also a file if its
 * type is not text, such as {@code application/octet-stream}. A file without a name is called
 * {@code file}. With {@code percolate-parsers}, compressed bodies are decompressed.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   limit           10mb     the maximum size of a decompressed body
 *   maxFileSize     10mb     the maximum size of a file
 *   maxFieldsSize   100kb    the maximum size of all fields together
 *   maxParts        1000     the maximum number of fields and files
 *   maxFiles        100      the maximum number of files
 *   maxHeaderBytes  8kb      the maximum size of the headers of a part
 *   maxNameLength   255      the maximum length of field and file names, in characters
 *   extended        false    whether brackets in field names nest
 *   defaultCharset  utf-8    the charset of text if the form names none
 *   directory       JDK's    the directory of temporary files
 * </pre>
 *
 * <p>Requests are passed on unchanged if they have another type, no body, or a body that has been
 * parsed. Errors go to {@code next.fail} as an {@link HttpError}:
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
 * <p>After an error {@code req.body()} stays unset. Writing temporary files blocks, so do not use
 * them in the thread mode {@code event loop}.
 */
@CheckReturnValue
public final class Multipart extends Copyable<Multipart> implements Middleware, StartCheck {

  /** The files of a request, in order. Set if a form was read; empty if it has no files. */
  public static final Key<List<Upload>> FILES =
      Key.of("uploaded files", new TypeRef<List<Upload>>() {});

  /** The fields of a request as they were sent, in order. Set if a form was read. */
  public static final Key<List<Field>> FIELDS =
      Key.of("form fields", new TypeRef<List<Field>>() {});

  private @Nullable FileHandler handler;
  private @Nullable Path directory;

  // Read by FormReader.
  boolean extended;
  long limit = 10 << 20;
  long maxFileSize = 10 << 20;
  long maxFieldsSize = 100 << 10;
  int maxParts = 1000;
  int maxFiles = 100;
  int maxHeaderBytes = 8 << 10;
  int maxNameLength = 255;
  Function<byte[], String> defaultDecoder = Field.decoder("utf-8");

  private Multipart(@Nullable FileHandler handler) {
    this.handler = handler;
  }

  /**
   * Creates a reader that stores files in temporary files.
   *
   * @return a reader with default options
   */
  public static Multipart files() {
    return new Multipart(null);
  }

  /**
   * Creates a reader that streams files to a handler. {@link #FILES} stays empty.
   *
   * @param handler receives the files
   * @return a reader with default options
   */
  public static Multipart stream(FileHandler handler) {
    return new Multipart(handler);
  }

  /**
   * Sets the maximum size of a decompressed body. Default: 10 MiB.
   *
   * @param size a size such as {@code 20mb}, or a number of bytes
   * @throws IllegalArgumentException if the size is invalid
   */
  public Multipart limit(String size) {
    return with(copy -> copy.limit = ByteSize.bytes("limit", size));
  }

  /**
   * Sets the maximum size of a file. Default: 10 MiB.
   *
   * @param size a size such as {@code 5mb}, or a number of bytes
   * @throws IllegalArgumentException if the size is invalid
   */
  public Multipart maxFileSize(String size) {
    return with(copy -> copy.maxFileSize = ByteSize.bytes("maxFileSize", size));
  }

  /**
   * Sets the maximum size of all fields together, which are kept in memory: their content, names
   * and types, and headers that are not UTF-8. Default: 100 KiB.
   *
   * @param size a size such as {@code 100kb}, or a number of bytes
   * @throws IllegalArgumentException if the size is invalid
   */
  public Multipart maxFieldsSize(String size) {
    return with(copy -> copy.maxFieldsSize = ByteSize.bytes("maxFieldsSize", size));
  }

  /**
   * Sets the maximum number of fields and files. Default: 1000.
   *
   * @param count at least 1
   * @throws IllegalArgumentException if {@code count} is less than 1
   */
  public Multipart maxParts(int count) {
    return with(copy -> copy.maxParts = Quantity.atLeast("maxParts", 1, count));
  }

  /**
   * Sets the maximum number of files. Default: 100.
   *
   * @param count at least 1
   * @throws IllegalArgumentException if {@code count} is less than 1
   */
  public Multipart maxFiles(int count) {
    return with(copy -> copy.maxFiles = Quantity.atLeast("maxFiles", 1, count));
  }

  /**
   * Sets the maximum size of the headers of a part, in bytes. Default: 8 KiB.
   *
   * @param bytes at least 1
   * @throws IllegalArgumentException if {@code bytes} is less than 1
   */
  public Multipart maxHeaderBytes(int bytes) {
    return with(copy -> copy.maxHeaderBytes = Quantity.atLeast("maxHeaderBytes", 1, bytes));
  }

  /**
   * Sets the maximum length of field and file names. Default: 255.
   *
   * @param characters at least 1
   * @throws IllegalArgumentException if {@code characters} is less than 1
   */
  public Multipart maxNameLength(int characters) {
    return with(copy -> copy.maxNameLength = Quantity.atLeast("maxNameLength", 1, characters));
  }

  /**
   * Sets whether brackets in field names nest, as in {@link Form#extended}. Default: false.
   *
   * @param extended true to nest
   */
  public Multipart extended(boolean extended) {
    return with(copy -> copy.extended = extended);
  }

  /**
   * Sets the charset of text if neither the part nor a field {@code _charset_} names one. It also
   * applies to names that are not valid UTF-8. Default: {@code utf-8}.
   *
   * @param charset the name of a charset, such as {@code windows-1252}
   * @throws IllegalArgumentException if the charset is unknown
   */
  public Multipart defaultCharset(String charset) {
    return with(copy -> copy.defaultDecoder = Field.decoder(charset));
  }

  /**
   * Sets the directory of temporary files. Default: that of the JDK. The files are deleted when the
   * response is complete or the process ends. Files of a killed process are deleted when another
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
    boolean isUnread = req.hasBody() && req.attrOrNull(Request.BODY_TAKEN) == null;
    if (isUnread && !isForm) {
      req.attr(Request.BODY_PASSED_ON, true);
    }
    if (!isUnread || !isForm) {
      next.run();
      return;
    }
    req.attr(Request.BODY_TAKEN, true);
    long length = ContentLength.parse(req.get("Content-Length"));
    byte[] boundary = length == 0 ? new byte[0] : FormReader.boundary(type);
    FormReader form = new FormReader(this, boundary, req, res, next);
    if (length == 0) {
      form.done(null);
      return;
    }
    ChunkReader reader = decoding(req, form);
    if (!RequestControl.readable(req)) {
      throw new HttpError(500, "the body has been read already", "stream.not.readable", null);
    }
    if (length > limit) {
      throw BodyErrors.tooLarge(limit, length);
    }
    req.read(reader);
  }

  /** Adds decompression to a reader, if the body is compressed. */
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
        : FileSink.of(handler.open(req, part));
  }

  Form grammar() {
    return (extended ? Form.extended() : Form.simple()).parameterLimit(maxParts);
  }
}
