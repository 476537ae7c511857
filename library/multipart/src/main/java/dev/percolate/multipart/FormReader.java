package dev.percolate.multipart;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.FormException;
import dev.percolate.http.HttpError;
import dev.percolate.http.MediaType;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one form to its end or its first error, then continues with the next handler. Collects
 * fields in memory, and passes files to their sinks.
 */
final class FormReader implements ChunkReader, PartParser.Listener {

  /** The maximum length of a boundary. RFC 2046 allows 70; some clients send more. */
  private static final int LONGEST_BOUNDARY = 256;

  /** The memory of the parser for a chunk, in bytes. */
  private static final int PIECE = 32 << 10;

  /** The memory of a part besides its text, in bytes: a map entry or an upload. */
  private static final int PART = 512;

  /** The memory of a map in the name of a field, in bytes. */
  private static final int NESTED = 320;

  /** The memory per byte of a field: the byte, its text, and both again in the encoded form. */
  private static final int FIELD_BYTE = 8;

  private final Multipart options;
  private final PartParser parser;
  private final Request req;
  private final Response res;
  private final Next next;
  private final FormFields fields;
  private final List<Upload> files = new ArrayList<>();
  private long received;
  private int count;
  private int fileCount;
  private long fieldBytes;

  /** The number of maps that the names of fields may create. */
  private long nested;

  // The current part.
  private @Nullable String disposition;
  private @Nullable String type;
  private boolean isFile;
  private @Nullable FilePart part;
  private @Nullable FileSink file;
  private long size;

  FormReader(Multipart options, byte[] boundary, Request req, Response res, Next next) {
    this.options = options;
    this.parser = new PartParser(boundary, options.maxHeaderBytes, this);
    this.req = req;
    this.res = res;
    this.next = next;
    this.fields = new FormFields(options.defaultDecoder);
  }

  /**
   * Returns the bytes that separate the parts of a form. Accepts more than RFC 2046 section 5.1.1,
   * except boundaries that end with a space or tab, which are ambiguous.
   *
   * @throws HttpError 400 if the boundary is absent or invalid
   */
  static byte[] boundary(MediaType type) {
    String boundary = type.parameter("boundary");
    if (boundary == null || boundary.isEmpty()) {
      throw PartParser.malformed("missing boundary");
    }
    boolean ambiguous = boundary.endsWith(" ") || boundary.endsWith("\t");
    if (ambiguous || boundary.length() > LONGEST_BOUNDARY || !PartParser.hasNoControls(boundary)) {
      throw PartParser.malformed("invalid boundary");
    }
    // The bytes as received: engines read headers with one character per byte.
    Charset charset =
        boundary.chars().allMatch(c -> c <= 0xFF)
            ? StandardCharsets.ISO_8859_1
            : StandardCharsets.UTF_8;
    return boundary.getBytes(charset);
  }

  /** Returns the maximum memory of the fields while they arrive: their bytes and their text. */
  @Override
  public long bufferedBytes(long announced) {
    long most = 2 * options.maxFieldsSize + options.maxHeaderBytes + PIECE;
    return announced < 0 ? most : Math.min(announced, most);
  }

  /** Returns the memory of the complete form, in bytes. */
  @Override
  public long parsedBytes(boolean exact) {
    return FIELD_BYTE * fieldBytes + (long) PART * count + NESTED * nested;
  }

  @Override
  public boolean chunk(ByteBuffer piece) throws Exception {
    received += piece.remaining();
    if (received > options.limit) {
      throw BodyErrors.tooLarge(options.limit).with("received", received);
    }
    parser.parse(piece);
    return true;
  }

  @Override
  public void done(@Nullable Throwable failure) {
    Throwable error =
        failure instanceof ClientDisconnectedException
            ? BodyErrors.aborted(failure, received, -1)
            : failure; // an IOException of a file is a fault of the server
    try {
      if (error == null) {
        finish();
      }
    } catch (Throwable thrown) {
      error = thrown;
    }
    if (error == null) {
      next.run();
    } else {
      close(error);
      next.fail(error);
    }
  }

  @Override
  public void begin() {
    disposition = null;
    type = null;
    part = null;
    size = 0;
    check(++count, options.maxParts, "too many parts", "parts.too.many");
  }

  @Override
  public void header(String name, String value) {
    if (name.equalsIgnoreCase("Content-Disposition") && disposition == null) {
      disposition = value;
    } else if (name.equalsIgnoreCase("Content-Type") && type == null) {
      type = value;
    }
  }

  @Override
  public void headersEnd() throws Exception {
    String header = disposition == null ? "" : disposition;
    Disposition names = Disposition.parse(fields.headerText(header));
    String name = names.name();
    if (name == null) {
      throw PartParser.malformed("part without a name");
    }
    checkName(name);
    String fileName = names.fileName();
    isFile = fileName != null || new PartType(type).isBinary();
    if (!isFile) {
      countField(fields.begin(name, header, type));
      nested += options.extended ? name.chars().filter(c -> c == '[').count() : 0;
      return;
    }
    String base = names.baseName();
    checkName(base == null ? "" : base);
    part = new FilePart(name, base == null ? "file" : base, type);
    // Without a name and content: a file field in which no file was chosen.
    if (fileName == null || !fileName.isEmpty()) {
      open(part);
    }
  }

  @Override
  public void content(ByteBuffer piece) throws Exception {
    int length = piece.remaining();
    size += length;
    if (!isFile) {
      countField(length);
      fields.add(piece);
      return;
    }
    FilePart opened = part;
    if (opened != null && file == null) {
      open(opened);
    }
    if (size > options.maxFileSize) {
      String field = opened == null ? "" : opened.field();
      throw PartParser.tooMuch("file too large", "file.too.large", options.maxFileSize)
          .with("field", field);
    }
    if (file != null) {
      file.add(piece);
    }
  }

  @Override
  public void end() throws Exception {
    FileSink whole = file;
    file = null;
    Upload upload = whole == null ? null : whole.end(null, size);
    if (upload != null) {
      files.add(upload);
    }
  }

  /** Sets the body, the fields and the files of the request. An empty body has no fields. */
  private void finish() {
    if (received > 0 && !parser.isComplete()) {
      throw PartParser.malformed("unexpected end of the form");
    }
    List<Field> sent = fields.all();
    Map<String, Object> body;
    try {
      body = options.grammar().parse(fields.plainForm(), StandardCharsets.UTF_8);
    } catch (FormException e) {
      throw new HttpError(413, e.getMessage(), "parts.too.many", e);
    }
    RequestControl.body(req, body);
    req.attr(Multipart.FIELDS, sent);
    req.attr(Multipart.FILES, List.copyOf(files));
    req.attr(Request.FORM_FILES, List.copyOf(files));
  }

  /** Ends the current file, which is incomplete. */
  private void close(Throwable error) {
    FileSink open = file;
    file = null;
    if (open != null) {
      try {
        open.end(error, size);
      } catch (Exception e) {
        error.addSuppressed(e);
      }
    }
  }

  private void open(FilePart opened) throws Exception {
    check(++fileCount, options.maxFiles, "too many files", "files.too.many");
    file = options.begin(req, res, opened);
  }

  private void checkName(String name) {
    check(name.length(), options.maxNameLength, "name too long", "name.too.long");
  }

  private void countField(long bytes) {
    fieldBytes += bytes;
    check(fieldBytes, options.maxFieldsSize, "fields too large", "fields.too.large");
  }

  private static void check(long value, long limit, String message, String type) {
    if (value > limit) {
      throw PartParser.tooMuch(message, type, limit);
    }
  }
}
