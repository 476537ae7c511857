package dev.percolate.multipart;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.Form;
import dev.percolate.http.FormException;
import dev.percolate.http.HttpError;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Takes the parts of one form.
 *
 * <p>The parser drops what its listener throws; so the first error is kept, everything that comes
 * after it is ignored, and the reader asks.
 */
final class Parts implements MultiPart.Parser.Listener {

  /** In place of the first byte of content: it has not come yet, or is past. */
  private static final int UNKNOWN = -1000;

  private static final int SEEN = -2000;

  /** What the parser holds of a piece. */
  private static final int PIECE = 32 << 10;

  /** What a part takes in memory besides its text: an entry of a map, an upload. */
  private static final int PART = 512;

  private final Multipart options;
  private final Request req;
  private final Response res;

  /** The fields as a plain form, so that the grammar of those holds here, too. */
  private final StringBuilder fields = new StringBuilder();

  private final List<Upload> files = new ArrayList<>();
  private @Nullable Throwable failure;
  private boolean complete;
  private int count;
  private int fileCount;
  private long fieldBytes;

  private ByteBuffer piece = ByteBuffer.allocate(0);

  // The part at hand.
  private int first = SEEN;
  private String field = "";
  private @Nullable String disposition;
  private @Nullable String type;
  private @Nullable ByteArrayOutputStream text;
  private @Nullable FileSink file;
  private long size;

  /** One step on a part; what it throws ends the form. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  Parts(Multipart options, Request req, Response res) {
    this.options = options;
    this.req = req;
    this.res = res;
  }

  @Override
  public void onPartBegin() {
    disposition = null;
    type = null;
    text = null;
    size = 0;
    attempt(() -> count(++count, options.maxParts(), "parts"));
  }

  @Override
  public void onPartHeader(String name, String value) {
    if (name.equalsIgnoreCase("Content-Disposition") && disposition == null) {
      disposition = value;
    } else if (name.equalsIgnoreCase("Content-Type") && type == null) {
      type = value;
    }
  }

  @Override
  public void onPartHeaders() {
    first = UNKNOWN;
    lookAhead();
    attempt(this::begin);
  }

  @Override
  public void onPartContent(Content.Chunk chunk) {
    // Not released: it is a view of the reader's own buffer, of no pool.
    ByteBuffer content = chunk.getByteBuffer();
    if (first > UNKNOWN && content.hasRemaining()) {
      if (first == '-' && content.get(content.position()) == '\n') {
        content.position(content.position() + 1);
      }
      first = SEEN;
    }
    attempt(() -> add(content));
  }

  @Override
  public void onPartEnd() {
    attempt(this::end);
  }

  @Override
  public void onComplete() {
    complete = true;
  }

  @Override
  public void onFailure(Throwable error) {
    if (failure == null) {
      // The parser's own limit is that on headers; everything else is malformed.
      failure =
          error instanceof IllegalStateException
              ? tooMuch("headers of a part too large", "headers.too.large", options.headerLimit())
              : malformed(String.valueOf(error.getMessage()), error);
    }
  }

  /** Takes note of what the parser gets next. */
  void piece(ByteBuffer next) {
    piece = next;
    lookAhead();
  }

  /**
   * Returns what the fields take in memory at most while they come: their bytes, and their text.
   */
  long most() {
    return 2 * options.fieldLimit() + options.headerLimit() + PIECE;
  }

  /** Returns what the form takes in memory when it has come. */
  long weight() {
    return 4L * fields.length() + (long) PART * count;
  }

  int headerLimit() {
    return options.headerLimit();
  }

  /** Throws what went wrong so far. */
  void check() throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof Exception exception) {
      throw exception;
    }
  }

  /** Sets the body and the files of the request. */
  void finish() throws Exception {
    check();
    if (!complete) {
      throw malformed("unexpected end", null);
    }
    Map<String, Object> body;
    try {
      body = options.grammar().parse(fields.toString(), StandardCharsets.UTF_8);
    } catch (FormException e) {
      throw new HttpError(413, e.getMessage(), "parts.too.many", e);
    }
    req.body(body);
    req.attr(Multipart.FILES, List.copyOf(files));
    req.attr(Request.FORM_FILES, List.copyOf(files));
  }

  /** Ends the file that is open, which is not complete. */
  void close(Throwable error) {
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

  /**
   * Notes the first byte of a part's content, once the parser stands before it. Where a piece ends
   * within content that begins as a boundary does, by a hyphen, Jetty 12.1 puts the line break of
   * the headers in front of it.
   */
  private void lookAhead() {
    if (first == UNKNOWN && piece.hasRemaining()) {
      first = piece.get(piece.position());
    }
  }

  /** Creates the error 400 of a form that is not as RFC 7578 has it. */
  static HttpError malformed(String what, @Nullable Throwable cause) {
    return new HttpError(400, "multipart: " + what, "multipart.malformed", cause);
  }

  private static HttpError tooMuch(String message, String type, long limit) {
    return new HttpError(413, message, type, null).with("limit", limit);
  }

  private void attempt(Step step) {
    if (failure == null) {
      try {
        step.run();
      } catch (Throwable thrown) {
        failure = thrown;
      }
    }
  }

  private static void count(int count, int limit, String what) {
    if (count > limit) {
      throw tooMuch("too many " + what, what + ".too.many", limit);
    }
  }

  private void begin() throws Exception {
    Disposition said = Disposition.parse(disposition == null ? "" : disposition);
    String name = said.name();
    if (name == null) {
      throw malformed("a part without a name", null);
    }
    checkName(name);
    field = name;
    if (said.fileName() == null) {
      text = new ByteArrayOutputStream();
      countField(name.length());
      return;
    }
    String base = said.baseName();
    if (said.fileName().isEmpty()) {
      // A field for a file in which none was chosen.
      return;
    }
    checkName(base == null ? "" : base);
    count(++fileCount, options.maxFiles(), "files");
    file = options.begin(req, res, new FilePart(field, base == null ? "file" : base, type));
  }

  private void checkName(String name) {
    if (name.length() > options.nameLimit()) {
      throw tooMuch("a name too long", "name.too.long", options.nameLimit());
    }
  }

  private void countField(long bytes) {
    fieldBytes += bytes;
    if (fieldBytes > options.fieldLimit()) {
      throw tooMuch("fields too large", "fields.too.large", options.fieldLimit());
    }
  }

  private void add(ByteBuffer piece) throws Exception {
    int length = piece.remaining();
    size += length;
    if (text != null) {
      countField(length);
      byte[] bytes = new byte[length];
      piece.get(bytes);
      text.writeBytes(bytes);
    } else if (file != null && length > 0) {
      if (size > options.fileLimit()) {
        throw tooMuch("file too large", "file.too.large", options.fileLimit()).with("field", field);
      }
      file.add(piece);
    }
  }

  private void end() throws Exception {
    FileSink whole = file;
    file = null;
    if (whole != null) {
      Upload upload = whole.end(null, size);
      if (upload != null) {
        files.add(upload);
      }
    } else if (text != null) {
      String value = text.toString(StandardCharsets.UTF_8);
      fields.append(fields.isEmpty() ? "" : "&");
      fields.append(Form.simple().write(Map.of(field, value)));
    }
  }
}
