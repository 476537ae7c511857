package dev.percolate.testkit.replay;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks the text of XML elements with private names, and of all elements in them.
 *
 * @param names the private names
 * @param marks the masks
 */
record XmlMasks(PrivateNames names, SecretMarks marks) {

  /** A CDATA section, a comment, a tag or text. */
  private static final Pattern PART =
      Pattern.compile(
          "<!\\[CDATA\\[(?s:(.*?))\\]\\]>|<!--(?s:.*?)-->"
              + "|<(/?)([^\\s/<>!?]++)([^<>]*+)>|([^<]+)");

  private static final int CDATA = 1;
  private static final int SLASH = 2;
  private static final int NAME = 3;
  private static final int REST = 4;
  private static final int TEXT = 5;

  /** Returns a document with masks. Attributes are not changed. */
  String masked(String xml) {
    StringBuilder out = new StringBuilder(xml.length());
    int copied = 0;
    int depth = 0; // within a private element
    String name = "";
    for (Matcher part = PART.matcher(xml); part.find(); ) {
      int group = part.group(CDATA) != null ? CDATA : TEXT;
      String text = part.group(group);
      if (part.group(NAME) != null) {
        boolean closes = !part.group(SLASH).isEmpty();
        boolean opens = !closes && !part.group(REST).endsWith("/");
        if (opens && depth == 0 && names.contain(part.group(NAME))) {
          name = part.group(NAME);
          depth = 1;
        } else if (depth > 0) {
          depth += opens ? 1 : closes ? -1 : 0;
        }
      } else if (depth > 0 && text != null && !text.isBlank()) {
        String plain = group == CDATA ? text : Entities.decoded(text);
        out.append(xml, copied, part.start(group)).append(marks.mark(name, plain));
        copied = part.end(group);
      }
    }
    return out.append(xml, copied, xml.length()).toString();
  }
}
