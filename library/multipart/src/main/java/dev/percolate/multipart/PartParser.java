package dev.percolate.multipart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.http.HeaderText;
import dev.percolate.http.HttpError;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * Splits a multipart body into its parts as it arrives (RFC 2046 section 5.1).
 *
 * <pre>
 *   CONTENT (the preamble) --delimiter--> AFTER_DELIMITER --line break--> HEADERS
 *      ^                                     |                               |
 *      |                                     +--two hyphens--> EPILOGUE      |
 *      +-------------------------------empty line----------------------------+
 * </pre>
 *
 * <p>A delimiter is a line break, two hyphens and the boundary. A bare line feed counts as a line
 * break. Bytes that may begin a delimiter are held until it is known whether they are content.
 */
final class PartParser {

  /** Receives the parts of a body. An exception ends the parsing. */
  interface Listener {

    /** Begins a part. */
    void begin() throws Exception;

    /**
     * Receives a header of the part.
     *
     * @param name the name of the header
     * @param value the value, unfolded, with one character per byte
     */
    void header(String name, String value) throws Exception;

    /** Called at the end of the headers. */
    void headersEnd() throws Exception;

    /** Receives some of the part's content, which is valid only during the call. */
    void content(ByteBuffer piece) throws Exception;

    /** Ends the part. */
    void end() throws Exception;
  }

  private enum State {
    CONTENT,
    AFTER_DELIMITER,
    HEADERS,
    EPILOGUE
  }

  private static final int NOT_MATCHING = -1;

  private final byte[] delimiter;
  private final int headerLimit;
  private final Listener listener;
  private State state = State.CONTENT;
  private boolean inPart;

  // Content: the number of matched bytes of the delimiter, and the bytes held from earlier chunks.
  private int matched;
  private boolean afterReturn;
  private final ByteBuffer held;

  /** The last byte read on the line after a delimiter. */
  private int before;

  // Headers.
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int headerBytes;

  /** The current header with its continuation lines; empty before the first header. */
  private final StringBuilder header = new StringBuilder();

  /**
   * Creates a parser.
   *
   * @param boundary the bytes of the boundary, without line breaks
   * @param headerLimit the maximum size of the headers of a part, in bytes
   * @param listener receives the parts
   */
  PartParser(byte[] boundary, int headerLimit, Listener listener) {
    this.delimiter = new byte[boundary.length + 2];
    this.delimiter[0] = '-';
    this.delimiter[1] = '-';
    System.arraycopy(boundary, 0, delimiter, 2, boundary.length);
    this.headerLimit = headerLimit;
    this.listener = listener;
    this.held = ByteBuffer.allocate(delimiter.length + 2);
  }

  /** Returns true if the delimiter that closes the body has been read. */
  boolean isComplete() {
    return state == State.EPILOGUE;
  }

  /**
   * Parses the next chunk.
   *
   * @throws HttpError 400 {@code multipart.malformed}, or 413 {@code headers.too.large}
   * @throws Exception an exception of the listener
   */
  void parse(ByteBuffer piece) throws Exception {
    while (piece.hasRemaining() && state != State.EPILOGUE) {
      switch (state) {
        case CONTENT -> parseContent(piece);
        case AFTER_DELIMITER -> parseAfterDelimiter(piece.get());
        default -> parseHeaders(piece.get());
      }
    }
  }

  private void parseContent(ByteBuffer piece) throws Exception {
    int from = piece.position();
    int candidate = from; // the index of the bytes that may begin a delimiter
    for (int at = from; at < piece.limit(); at++) {
      byte b = piece.get(at);
      if (matched >= 0 && b == delimiter[matched]) {
        matched++;
        if (matched == delimiter.length) {
          held.clear();
          pass(piece.slice(from, candidate - from));
          piece.position(at + 1);
          endPart();
          return;
        }
      } else if (b == '\n' && afterReturn) {
        afterReturn = false;
        matched = 0;
      } else {
        passHeld();
        candidate = at;
        afterReturn = b == '\r';
        matched = b == '\n' ? 0 : NOT_MATCHING;
      }
    }
    int end = afterReturn || matched >= 0 ? candidate : piece.limit();
    pass(piece.slice(from, end - from));
    held.put(piece.slice(end, piece.limit() - end));
    piece.position(piece.limit());
  }

  /** Passes on the held bytes of earlier chunks, since no delimiter followed. */
  private void passHeld() throws Exception {
    if (held.position() > 0) {
      pass(held.flip());
      held.clear();
    }
  }

  private void pass(ByteBuffer content) throws Exception {
    if (inPart && content.hasRemaining()) {
      listener.content(content);
    }
  }

  private void endPart() throws Exception {
    if (inPart) {
      inPart = false;
      listener.end();
    }
    state = State.AFTER_DELIMITER;
    before = 0;
  }

  /** Parses two hyphens, or spaces and a line break. */
  private void parseAfterDelimiter(byte b) throws Exception {
    boolean closing = b == '-' && (before == 0 || before == '-');
    boolean blank = (b == ' ' || b == '\t') && before != '-' && before != '\r';
    boolean lineEnd =
        (b == '\r' && before != '-' && before != '\r') || (b == '\n' && before != '-');
    if (!closing && !blank && !lineEnd) {
      throw malformed("text after a boundary");
    }
    if (closing && before == '-') {
      state = State.EPILOGUE;
    } else if (b == '\n') {
      beginPart();
    }
    before = b;
  }

  private void beginPart() throws Exception {
    state = State.HEADERS;
    inPart = true;
    line.reset();
    headerBytes = 0;
    header.setLength(0);
    listener.begin();
  }

  private void parseHeaders(byte b) throws Exception {
    headerBytes++;
    if (headerBytes > headerLimit) {
      throw tooMuch("headers of a part are too large", "headers.too.large", headerLimit);
    }
    if (b != '\n') {
      line.write(b);
      return;
    }
    String text = line.toString(ISO_8859_1);
    line.reset();
    takeLine(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
  }

  /**
   * Parses a line of the headers. A line that begins with a space or tab continues the previous
   * line.
   */
  private void takeLine(String text) throws Exception {
    if (!hasNoControls(text)) {
      throw malformed("control character in a header");
    }
    boolean continues = text.startsWith(" ") || text.startsWith("\t");
    if (continues && header.isEmpty()) {
      throw malformed("folded line before the first header");
    }
    if (continues) {
      header.append(text);
      return;
    }
    takeHeader();
    header.append(text);
    if (text.isEmpty()) {
      listener.headersEnd();
      state = State.CONTENT;
      matched = 0;
      afterReturn = false;
    }
  }

  private void takeHeader() throws Exception {
    if (header.isEmpty()) {
      return;
    }
    String whole = header.toString();
    header.setLength(0);
    int colon = whole.indexOf(':');
    if (colon < 0 || !HeaderText.isToken(whole.substring(0, colon))) {
      throw malformed("header without a valid name");
    }
    listener.header(whole.substring(0, colon), whole.substring(colon + 1).strip());
  }

  /** Returns true if a text has no control characters except tabs. */
  static boolean hasNoControls(String text) {
    return text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7F));
  }

  /** Creates the 400 error for a form that violates RFC 7578. */
  static HttpError malformed(String what) {
    return new HttpError(400, "multipart: " + what, "multipart.malformed", null);
  }

  /** Creates the 413 error for a form that exceeds a limit. */
  static HttpError tooMuch(String message, String type, long limit) {
    return new HttpError(413, message, type, null).with("limit", limit);
  }
}
