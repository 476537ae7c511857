package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.engine.ListenOptions;
import dev.percolate.http.Headers;
import java.util.Arrays;

/**
 * Reads the head of one request from bytes as they come, line by line. What is doubtful is refused:
 * another reader of the same bytes may see other requests there. So lines end by CR LF, are not
 * folded, and words of the request line are parted by one blank (RFC 9112).
 *
 * <pre>
 *   START --empty line, once--> START --request line--> HEADERS --empty line--> WHOLE
 *     +------------------------------------------------------+--refused--> REFUSED
 * </pre>
 *
 * <p>A line that has come in parts is put together here first, so that each byte is looked at twice
 * at most, however a head is cut; what becomes of it does not depend on the cuts.
 */
final class HeadParser {

  /** What has come of the head. */
  enum State {
    START,
    HEADERS,
    WHOLE,
    REFUSED
  }

  /** The line does not end in the bytes at hand. */
  private static final int CUT = -1;

  /** The line is none. */
  private static final int WRONG = -2;

  private static final int LEAST_PART = 256;
  private static final byte[] NOTHING = {};

  private final int maxLine;
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
  private String version = "1.1";
  private Headers headers = new Headers();

  /**
   * Creates a parser.
   *
   * @param recent the values that came last to the parsers of a loop
   */
  HeadParser(ListenOptions options, RecentValues recent) {
    this.recent = recent;
    maxLine = options.maxTarget();
    maxHeaderBytes = options.maxHeaderBytes();
  }

  /**
   * Reads on, until the head is whole or refused.
   *
   * @return where the bytes begin that come behind what was read
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

  /** Returns the status to refuse the head with. */
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

  /** Returns the version, {@code 1.0} or {@code 1.1}. */
  String version() {
    return version;
  }

  /** Returns how many bytes of memory are kept for a line that has come in parts. */
  int kept() {
    return part.length;
  }

  /** Returns the headers, as far as they were read. */
  Headers headers() {
    return headers;
  }

  /** Prepares for the next head. */
  void reset() {
    state = State.START;
    led = false;
    headerBytes = 0;
    method = "";
    target = "";
    version = "1.1";
    headers = new Headers(headers.size()); // clients send as many as others do
  }

  /** Reads a line where it lies, if all of it is there. */
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
    refuseLine(end - from);
    return end + 1;
  }

  /** Puts a line together, and reads it when it is whole. */
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
        refuseLine(size - 1);
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
    int methodEnd = from;
    while (methodEnd < to && Characters.isToken(data[methodEnd])) {
      methodEnd++;
    }
    int targetEnd = wordEnd(data, methodEnd, from, to);
    int versionEnd = targetEnd < 0 ? targetEnd : wordEnd(data, targetEnd, methodEnd, to);
    int next = versionEnd < 0 ? versionEnd : lineEnd(data, versionEnd, to);
    if (next < 0) {
      return next;
    }
    if (versionEnd - from > maxLine) {
      return WRONG;
    }
    return checkVersion(data, targetEnd + 1, versionEnd)
        ? begin(data, from, methodEnd, targetEnd, next)
        : WRONG;
  }

  private int begin(byte[] data, int from, int methodEnd, int targetEnd, int next) {
    method = KnownTexts.of(data, from, methodEnd);
    target = new String(data, methodEnd + 1, targetEnd - methodEnd - 1, ISO_8859_1);
    if (state == State.START) {
      state = State.HEADERS;
    }
    return next;
  }

  /** Returns where a word ends that must stand behind one blank. */
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

  /** Reads the version; refuses one that we do not speak. */
  private boolean checkVersion(byte[] data, int from, int to) {
    boolean one = to - from == 8 && data[from + 5] == '1' && data[from + 6] == '.';
    boolean http =
        to - from > 5
            && data[from] == 'H'
            && data[from + 1] == 'T'
            && data[from + 2] == 'T'
            && data[from + 3] == 'P'
            && data[from + 4] == '/';
    if (!http) {
      return false;
    }
    byte minor = data[to - 1];
    if (one && (minor == '1' || minor == '0')) {
      version = minor == '1' ? "1.1" : "1.0";
      return true;
    }
    String text = new String(data, from, to - from, ISO_8859_1);
    if (!text.matches("HTTP/[0-9]+\\.[0-9]+")) {
      return false;
    }
    refuse(505);
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
    int nameEnd = from;
    while (nameEnd < to && Characters.isToken(data[nameEnd])) {
      nameEnd++;
    }
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
    int name = KnownTexts.find(data, from, nameEnd);
    int shared = KnownTexts.shared(name);
    String same = shared == KnownTexts.UNKNOWN ? "" : recent.at(shared, data, begin, to);
    int end = same.isEmpty() ? valueEnd(data, begin, to) : begin + same.length();
    int next = lineEnd(data, end, to);
    if (next >= 0 && fits(end - from)) {
      String value = same.isEmpty() ? value(shared, data, begin, end) : same;
      headers.addReceived(KnownTexts.text(name, data, from, nameEnd), value);
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

  /** Counts the bytes of a header; refuses the head if it has too many. */
  private boolean fits(int length) {
    headerBytes += length;
    boolean fits = headerBytes <= maxHeaderBytes;
    if (!fits) {
      refuse(431);
    }
    return fits;
  }

  /** Returns the text of a value, without the blanks at its end. */
  private String value(int shared, byte[] data, int from, int to) {
    int end = to;
    while (end > from && Characters.isBlank(data[end - 1])) {
      end--;
    }
    return shared == KnownTexts.UNKNOWN
        ? new String(data, from, end - from, ISO_8859_1)
        : recent.put(shared, data, from, end);
  }

  /** Returns the place behind CR LF, which must stand here. */
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

  /** Keeps what has come of a line, as long as that may become one. */
  private void keep(byte[] data, int from, int to) {
    int size = partSize + to - from;
    if (tooLong(size - 2) != 0) { // its end is not counted, of which at most this much is here
      refuse(tooLong(size - 2));
      partSize = 0;
      part = NOTHING;
      return;
    }
    if (size > part.length) {
      int most = 2 + (state == State.START ? maxLine : maxHeaderBytes - headerBytes);
      int wanted = Math.max(LEAST_PART, Math.max(size, 2 * part.length));
      part = Arrays.copyOf(part, Math.min(wanted, most));
    }
    System.arraycopy(data, from, part, partSize, to - from);
    partSize = size;
  }

  /** Refuses a line that is none, or too long. */
  private void refuseLine(int length) {
    if (state != State.REFUSED) {
      int tooLong = tooLong(length - 1);
      refuse(tooLong == 0 ? 400 : tooLong);
    }
  }

  /** Returns the status to refuse a line of some length with; 0 if it is short enough. */
  private int tooLong(int length) {
    if (state == State.START) {
      return length > maxLine ? 414 : 0;
    }
    return headerBytes + length > maxHeaderBytes ? 431 : 0;
  }

  private void refuse(int with) {
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
