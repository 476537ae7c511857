package dev.percolate.framework;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says roughly which paths a pattern matches: segment by segment a text or anything, then perhaps
 * anything at all. A path that does not fit cannot match; one that fits may.
 *
 * <pre>
 *   /users/:id/edit   users, anything, edit
 *   /files/*          files, then anything at all
 *   /a(b)?            anything at all
 * </pre>
 *
 * @param segments the segments, texts, or for anything within one segment
 * @param open whether anything may follow
 */
record PathShape(List<@Nullable String> segments, boolean open) {

  static final PathShape ANYTHING = new PathShape(List.of(), true);

  /** Stands for a part of a segment that is not known. */
  private static final char UNKNOWN = '\0';

  /** Returns the shape of a path that {@link PathProgram} can match. */
  static PathShape of(PathTranslation path) {
    StringBuilder known = new StringBuilder();
    boolean open = false;
    Iterator<PathTranslation.Piece> pieces = path.pieces().iterator();
    while (pieces.hasNext() && !open) {
      PathTranslation.Piece piece = pieces.next();
      if (piece instanceof PathTranslation.Parameter parameter) {
        open = parameter(parameter, pieces.hasNext(), known);
      } else if (piece instanceof PathTranslation.Literal literal) {
        known.append(literal.text());
      } else {
        open = text(((PathTranslation.Text) piece).text(), known);
      }
    }
    return cut(known, open);
  }

  /** Adds literal text; tells whether anything may follow. */
  private static boolean text(String text, StringBuilder known) {
    int star = text.indexOf('*');
    known.append(text, 0, star < 0 ? text.length() : star);
    return star >= 0;
  }

  /** Adds a parameter; tells whether anything may follow. */
  private static boolean parameter(
      PathTranslation.Parameter parameter, boolean moreFollows, StringBuilder known) {
    if (parameter.optional()) {
      // without it, what follows would go on with the segment before it
      known.append(parameter.slash() && !moreFollows ? "/" : "");
      return true;
    }
    known.append(parameter.slash() ? "/" : "");
    if ("(*)".equals(parameter.capture())) {
      return true;
    }
    known.append(UNKNOWN).append(parameter.star() ? "/" : "");
    return parameter.star();
  }

  /** Cuts text into segments; of an open one the last, which may be missing, is left out. */
  private static PathShape cut(CharSequence known, boolean open) {
    String text = known.toString();
    if (!text.startsWith("/")) {
      return ANYTHING;
    }
    List<@Nullable String> segments = new ArrayList<>();
    int start = 1;
    for (int end = text.indexOf('/', 1); end >= 0; end = text.indexOf('/', start)) {
      segments.add(segment(text.substring(start, end)));
      start = end + 1;
    }
    if (!open) {
      segments.add(segment(text.substring(start)));
    }
    return new PathShape(segments, open);
  }

  private static @Nullable String segment(String text) {
    return text.indexOf(UNKNOWN) >= 0 ? null : text;
  }
}
