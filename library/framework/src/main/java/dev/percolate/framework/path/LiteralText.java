package dev.percolate.framework.path;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the literal text in a route path, for comparison with decoded paths: escapes, and {@code $}
 * and {@code ^} outside parentheses. As operators, these mark the ends of a path, so in the middle
 * they could never match.
 *
 * <pre>
 *   /caf%C3%A9    matches the same paths as /café
 *   /$metadata    a dollar sign, then text
 *   /x(a$|b)      an operator, since it is in parentheses
 *   ^/a$          operators, since the path starts with one
 * </pre>
 */
final class LiteralText {

  private static final String OPERATORS = "\\^$|?+*()[]{}";

  private final List<PathTranslation.Piece> out = new ArrayList<>();
  private final StringBuilder pending = new StringBuilder();
  private final boolean endsAreLiteral;
  private int depth;

  private LiteralText(boolean endsAreLiteral) {
    this.endsAreLiteral = endsAreLiteral;
  }

  /** Returns the translation that is compared with decoded paths. */
  static PathTranslation in(PathTranslation path) {
    List<PathTranslation.Piece> pieces = path.pieces();
    LiteralText text = new LiteralText(!isExpression(pieces));
    for (PathTranslation.Piece piece : pieces) {
      if (piece instanceof PathTranslation.Text given) {
        text.decode(RoutePath.decoded(given.text()));
      } else {
        text.out.add(piece);
      }
    }
    return path.with(text.out);
  }

  private void decode(RoutePath given) {
    String all = given.text();
    for (int i = 0; i < all.length(); i++) {
      char c = all.charAt(i);
      boolean escaped = given.sent().charAt(given.sentIndex(i)) == '%';
      if (escaped ? OPERATORS.indexOf(c) >= 0 : isLiteral(c)) {
        flush();
        out.add(new PathTranslation.Literal(String.valueOf(c)));
        continue;
      }
      pending.append(c);
      if (c == '\\' && i + 1 < all.length()) {
        i++;
        pending.append(all.charAt(i));
      } else if (!escaped) {
        depth += depthChange(c);
      }
    }
    flush();
  }

  private boolean isLiteral(char c) {
    return (c == '$' || c == '^') && endsAreLiteral && depth == 0;
  }

  private void flush() {
    if (pending.length() > 0) {
      out.add(new PathTranslation.Text(pending.toString()));
      pending.setLength(0);
    }
  }

  /** Returns true if a path does not start with a slash, or consists of alternatives. */
  private static boolean isExpression(List<PathTranslation.Piece> pieces) {
    int depth = 0;
    for (PathTranslation.Piece piece : pieces) {
      String text = piece instanceof PathTranslation.Text given ? given.text() : "";
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        i += c == '\\' ? 1 : 0;
        depth += depthChange(c);
        if (c == '|' && depth == 0) {
          return true;
        }
      }
    }
    return !pieces.isEmpty()
        && pieces.get(0) instanceof PathTranslation.Text first
        && !first.text().startsWith("/");
  }

  private static int depthChange(char c) {
    return switch (c) {
      case '(', '[' -> 1;
      case ')', ']' -> -1;
      default -> 0;
    };
  }
}
