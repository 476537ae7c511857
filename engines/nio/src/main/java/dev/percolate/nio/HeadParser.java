package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.ContentLength;
import dev.percolate.http.HeaderText;
import dev.percolate.http.Headers;
import java.util.Arrays;

/**
 * Parses the head of a request, line by line, as its bytes arrive. Ambiguous syntax is rejected,
 * because another parser of the same bytes may see other requests. So lines must end in CR LF and
 * must not be folded, and the words of the request line must be separated by one space (RFC 9112).
 *
 * <pre>
 *   START --empty line, once--> START --request line--> HEADERS --empty line--> WHOLE
 *     +------------------------------------------------------+--rejected--> REFUSED
 * </pre>
 *
 * <p>A line that arrives in parts is first joined, so each byte is read at most twice. The result
 * does not depend on how the bytes are split.
 */
final class HeadParser {

  /** How much of the head has been parsed. */
  enum State {
    START,
    HEADERS,
    WHOLE,
    REFUSED
  }

  /** The line continues after the available bytes. */
  private static final int CUT = -1;

  /** The line is invalid. */
  private static final int WRONG = -2;

  /** The request has no body. */
  static final long NO_BODY = -1;

  /** The body is sent in chunks. */
  static final long CHUNKED = -2;

  /** The length is ambiguous; the request must be rejected. */
  static final long DOUBTFUL = -3;

  private static final int LEAST_PART = 256;

  /** The bytes of a request line besides method and target: two spaces and the version. */
  private static final int AROUND = "  HTTP/1.1".length();

  private static final byte[] NOTHING = {};

  private final int maxTargetLength;
  private final long maxLine;
  private final int maxHeaderBytes;
  private final RecentValues recent;

  private State state = State.START;
  private boolean led;
  private byte[] part = NOTHING;
  private int partSize;
  private int headerBytes;
  private int status;
  private String method = "";
  private String target = "";
  private String version = "";
  private Headers headers = new Headers();

  /**
   * Creates a parser.
   *
   * @param recent the header values that the parsers of an event loop read last
   */
  HeadParser(ListenOptions options, RecentValues recent) {
    this.recent = recent;
    maxTargetLength = options.maxTargetLength();
    maxLine = (long) HeadGuard.MAX_METHOD + maxTargetLength + AROUND;
    maxHeaderBytes = options.maxHeaderBytes();
  }

  /**
   * Parses bytes until the head is complete or rejected.
   *
   * @return the index after the last byte that was read
   */
  int parse(byte[] data, int from, int to) {
    int at = from;
    while (at < to && (state == State.START || state == State.HEADERS)) {
      at = partSize == 0 ? line(data, at, to) : restOfLine(data, at, to);
    }
    return at;
  }

  State state() {
    return state;
  }

  /** Returns the status code with which the head is rejected. */
  int status() {
    return status;
  }

  /** Returns the target; empty if the request line could not be read. */
  String target() {
    return target;
  }

  /** Returns the method; empty if the request line could not be read. */
  String method() {
    return method;
  }

  /**
   * Returns the version that the client sent, such as {@code 1.1}; empty if the request line could
   * not be read.
   */
  String version() {
    return version;
  }

  /** Returns the memory that is used for a line that has arrived in parts, in bytes. */
  int kept() {
    return part.length;
  }

  /** Returns the headers that have been read so far. */
  Headers headers() {
    return headers;
  }

  /**
   * Returns the length of the body of a whole head (RFC 9112 section 6.3), or one of the constants.
   * Codings other than {@code chunked} are ignored.
   */
  long bodyLength() {
    long length = NO_BODY;
    int lengths = 0;
    int codings = 0;
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      if (name.length() == 14 && name.equalsIgnoreCase("Content-Length")) {
        lengths++;
        length = ContentLength.parse(headers.value(i));
      } else if (name.length() == 17 && name.equalsIgnoreCase("Transfer-Encoding")) {
        codings += endsInChunks(headers.value(i)) ? 1 : 2;
      }
    }
    if (lengths + codings > 1 || (codings == 1 && version.equals("1.0"))) {
      return DOUBTFUL;
    }
    if (codings == 1) {
      return CHUNKED;
    }
    return lengths == 0 || (length >= 0 && length < Long.MAX_VALUE) ? length : DOUBTFUL;
  }

  /**
   * Returns true if a list of codings is valid, ends in {@code chunked} and does not contain it
   * elsewhere. Otherwise the end of the body is ambiguous.
   */
  private static boolean endsInChunks(String codings) {
    String[] all = codings.split(",", -1);
    for (int i = 0; i < all.length; i++) {
      String coding = all[i].strip();
      boolean last = i == all.length - 1;
      if (!HeaderText.isToken(coding) || coding.equalsIgnoreCase("chunked") != last) {
        return false;
      }
    }
    return true;
  }

  /** Prepares for the next head. */
  void reset() {
    state = State.START;
    led = false;
    headerBytes = 0;
    method = "";
    target = "";
    version = "";
    headers = new Headers(headers.size()); // clients usually send as many as in the last request
  }

  /** Parses a line in place if it is complete. */
  private int line(byte[] data, int from, int to) {
    int next = read(data, from, to);
    if (next >= 0) {
      return next;
    }
    int end = lineFeed(data, from, to);
    if (end < 0) {
      keep(data, from, to);
      return to;
    }
    rejectLine(data, from, end);
    return end + 1;
  }

  /** Joins a line and parses it once it is complete. */
  private int restOfLine(byte[] data, int from, int to) {
    int end = lineFeed(data, from, to);
    int next = end < 0 ? to : end + 1;
    keep(data, from, next);
    if (end >= 0 && state != State.REFUSED) {
      int size = partSize;
      byte[] whole = part;
      partSize = 0;
      part = NOTHING;
      if (read(whole, 0, size) < 0) {
        rejectLine(whole, 0, size - 1);
      }
    }
    return next;
  }

  private int read(byte[] data, int from, int to) {
    return state == State.START ? requestLine(data, from, to) : headerLine(data, from, to);
  }

  private int requestLine(byte[] data, int from, int to) {
    if (data[from] == '\r' && !led) {
      int next = lineEnd(data, from, to);
      led = next >= 0;
      return next;
    }
    int methodEnd = tokenEnd(data, from, to);
    int targetEnd = wordEnd(data, methodEnd, from, to);
    int versionEnd = targetEnd < 0 ? targetEnd : wordEnd(data, targetEnd, methodEnd, to);
    int next = versionEnd < 0 ? versionEnd : lineEnd(data, versionEnd, to);
    if (next < 0) {
      return next;
    }
    if (methodEnd - from > HeadGuard.MAX_METHOD || targetEnd - methodEnd - 1 > maxTargetLength) {
      return WRONG;
    }
    return checkVersion(data, targetEnd + 1, versionEnd)
        ? begin(data, from, methodEnd, targetEnd, next)
        : WRONG;
  }

  private int begin(byte[] data, int from, int methodEnd, int targetEnd, int next) {
    method = KnownStrings.of(data, from, methodEnd);
    target = new String(data, methodEnd + 1, targetEnd - methodEnd - 1, ISO_8859_1);
    if (state == State.START) {
      state = State.HEADERS;
    }
    return next;
  }

  /** Returns the end of a word, which must follow exactly one space. */
  private static int wordEnd(byte[] data, int blank, int before, int to) {
    if (blank == to) {
      return CUT;
    }
    if (blank == before || data[blank] != ' ') {
      return WRONG;
    }
    int end = blank + 1;
    while (end < to && Characters.isWord(data[end])) {
      end++;
    }
    return end == blank + 1 && end < to ? WRONG : end;
  }

  /**
   * Reads the version, which has two digits (RFC 9112 section 2.3). Other minor versions are
   * processed as 1.1 (RFC 9110 section 6.2). Other major versions are rejected.
   */
  private boolean checkVersion(byte[] data, int from, int to) {
    boolean valid =
        to - from == 8
            && data[from] == 'H'
            && data[from + 1] == 'T'
            && data[from + 2] == 'T'
            && data[from + 3] == 'P'
            && data[from + 4] == '/'
            && Characters.isDigit(data[from + 5])
            && data[from + 6] == '.'
            && Characters.isDigit(data[from + 7]);
    if (!valid) {
      return false;
    }
    boolean one = data[from + 5] == '1';
    if (one && data[from + 7] == '1') {
      version = "1.1";
    } else {
      version = new String(data, from + 5, 3, ISO_8859_1);
    }
    if (!one) {
      reject(505);
    }
    return true;
  }

  private int headerLine(byte[] data, int from, int to) {
    if (data[from] == '\r') {
      int next = lineEnd(data, from, to);
      if (next >= 0) {
        state = State.WHOLE;
      }
      return next;
    }
    int nameEnd = tokenEnd(data, from, to);
    if (nameEnd == to) {
      return CUT;
    }
    if (nameEnd == from || data[nameEnd] != ':') {
      return WRONG;
    }
    int begin = nameEnd + 1;
    while (begin < to && Characters.isBlank(data[begin])) {
      begin++;
    }
    int name = KnownStrings.find(data, from, nameEnd);
    int shared = KnownStrings.shared(name);
    String same = shared == KnownStrings.UNKNOWN ? "" : recent.at(shared, data, begin, to);
    int end = same.isEmpty() ? valueEnd(data, begin, to) : begin + same.length();
    int next = lineEnd(data, end, to);
    if (next >= 0 && fits(end - from)) {
      String value = same.isEmpty() ? value(shared, data, begin, end) : same;
      headers.addReceived(KnownStrings.text(name, data, from, nameEnd), value);
    }
    return next;
  }

  private static int valueEnd(byte[] data, int from, int to) {
    int end = from;
    while (end < to && Characters.isValue(data[end])) {
      end++;
    }
    return end;
  }

  /** Counts the bytes of a header. Rejects the head if it is too large. */
  private boolean fits(int length) {
    headerBytes += length;
    boolean fits = headerBytes <= maxHeaderBytes;
    if (!fits) {
      reject(431);
    }
    return fits;
  }

  /** Returns the text of a value, without blanks at the end. */
  private String value(int shared, byte[] data, int from, int to) {
    int end = to;
    while (end > from && Characters.isBlank(data[end - 1])) {
      end--;
    }
    return shared == KnownStrings.UNKNOWN
        ? new String(data, from, end - from, ISO_8859_1)
        : recent.put(shared, data, from, end);
  }

  /** Returns the index after CR LF, which must be at the given index. */
  private static int lineEnd(byte[] data, int at, int to) {
    if (at == to) {
      return CUT;
    }
    if (data[at] != '\r') {
      return WRONG;
    }
    if (at + 1 == to) {
      return CUT;
    }
    return data[at + 1] == '\n' ? at + 2 : WRONG;
  }

  /** Keeps a part of a line unless the line is too long. */
  private void keep(byte[] data, int from, int to) {
    int size = partSize + to - from;
    long most = 2 + (state == State.START ? maxLine : (long) maxHeaderBytes - headerBytes);
    if (size > most) { // the line ending does not count, and may have arrived
      boolean first = state == State.START;
      int begin = partSize == 0 ? from : 0;
      reject(first ? longLine(partSize == 0 ? data : joined(data, from, to), begin) : 431);
      partSize = 0;
      part = NOTHING;
      return;
    }
    if (size > part.length) {
      int wanted = Math.max(LEAST_PART, Math.max(size, 2 * part.length));
      part = Arrays.copyOf(part, (int) Math.min(wanted, most));
    }
    System.arraycopy(data, from, part, partSize, to - from);
    partSize = size;
  }

  /** Returns the first bytes of a line that arrived in parts; a valid method ends in them. */
  private byte[] joined(byte[] data, int from, int to) {
    byte[] begin = Arrays.copyOf(part, Math.max(partSize, HeadGuard.MAX_METHOD + 1));
    int lacks = Math.min(begin.length - partSize, to - from);
    System.arraycopy(data, from, begin, partSize, lacks);
    return begin;
  }

  /** Rejects a line that is invalid or too long; its line feed is at {@code end}. */
  private void rejectLine(byte[] data, int from, int end) {
    if (state == State.REFUSED) {
      return;
    }
    int length = end - from - 1;
    if (state != State.START) {
      reject(headerBytes + length > maxHeaderBytes ? 431 : 400);
    } else {
      reject(length > maxLine || hasLongTarget(data, from, end) ? longLine(data, from) : 400);
    }
  }

  /** Returns the status code for a request line that is too long: 400 without a valid method. */
  private static int longLine(byte[] data, int from) {
    int most = from + HeadGuard.MAX_METHOD + 1; // a line that is too long has more bytes
    int end = tokenEnd(data, from, most);
    return end > from && end < most && data[end] == ' ' ? 414 : 400;
  }

  private boolean hasLongTarget(byte[] data, int from, int to) {
    int start = tokenEnd(data, from, to) + 1;
    return start < to && wordEnd(data, start - 1, from, to) - start > maxTargetLength;
  }

  private static int tokenEnd(byte[] data, int from, int to) {
    int end = from;
    while (end < to && Characters.isToken(data[end])) {
      end++;
    }
    return end;
  }

  private void reject(int with) {
    status = with;
    state = State.REFUSED;
  }

  private static int lineFeed(byte[] data, int from, int to) {
    int at = from;
    while (at < to && data[at] != '\n') {
      at++;
    }
    return at < to ? at : -1;
  }
}
