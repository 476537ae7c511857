package dev.percolate.framework.path;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The approximate shape of the paths that a pattern matches: a list of segments, each a fixed text
 * or any text, optionally followed by anything. A path with another shape cannot match; a path with
 * this shape may match.
 *
 * <pre>
 *   /users/:id/edit   users, any text, edit
 *   /files/*          files, then anything
 *   /a(b)?            anything
 * </pre>
 *
 * @param segments the segments; null for any text
 * @param open whether anything may follow
 */
record PathShape(List<@Nullable String> segments, boolean open) {

  static final PathShape ANYTHING = new PathShape(List.of(), true);

  /** An unknown part of a segment. */
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

  /** Adds literal text; returns true if anything may follow. */
  private static boolean text(String text, StringBuilder known) {
    int star = text.indexOf('*');
    known.append(text, 0, star < 0 ? text.length() : star);
    return star >= 0;
  }

  /** Adds a parameter; returns true if anything may follow. */
  private static boolean parameter(
      PathTranslation.Parameter parameter, boolean moreFollows, StringBuilder known) {
    if (parameter.optional()) {
      // without the parameter, the next part would continue the segment before it
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

  /**
   * Splits text into segments. If the shape is open, the last segment may be incomplete and is
   * dropped.
   */
  private static PathShape cut(CharSequence known, boolean open) {
    String text = known.toString();
    if (!text.startsWith("/")) {
      return ANYTHING;
    }
    List<@Nullable String> segments = new ArrayList<>();
    for (String segment : text.substring(1).split("/", -1)) {
      segments.add(segment.indexOf(UNKNOWN) >= 0 ? null : segment);
    }
    if (open) {
      segments.remove(segments.size() - 1);
    }
    return new PathShape(segments, open);
  }
}
