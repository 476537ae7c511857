package dev.percolate.checks;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A paragraph of text on one line and without markup.
 *
 * @param path the file, relative to the root of the project
 */
record Passage(Kind kind, String path, String text) {

  enum Kind {
    JAVADOC,
    /** The first paragraph of an instance method that returns its own type or nothing. */
    SETTER_JAVADOC,
    MESSAGE,
    PAGE
  }

  private static final String CODE = "`…`";

  private static final Pattern JAVADOC_PARAGRAPH =
      Pattern.compile(
          "</?(?:p|ul|ol|li|dl|dt|dd|table|tr|td|th|h\\d)\\b[^>]*>"
              + "|\\n\\s*@(?:(?:param|throws)\\s+\\S+|return|see|since|deprecated)\\b"
              + "|\\n\\s*\\n");

  private static final Pattern FENCED =
      Pattern.compile("^ *(`{3,}|~{3,}).*?^ *\\1 *$", Pattern.DOTALL | Pattern.MULTILINE);

  private static final Pattern PAGE_PARAGRAPH =
      Pattern.compile(
          "\\n\\s*\\n|^\\s*(?:[-*>]|\\d+\\.|#+|:::\\s*\\w*)\\s|(?<!\\\\)\\|", Pattern.MULTILINE);

  /** Returns the paragraphs of a Javadoc comment, without its asterisks. */
  static List<Passage> ofJavadoc(String path, String comment) {
    String text =
        ("\n" + comment)
            .replaceAll("(?s)<pre>.*?</pre>", "\n\n")
            .replaceAll("\\{@linkplain\\s+\\S+\\s+([^}]*)\\}", "$1")
            .replaceAll("\\{@\\w+\\s[^}]*\\}", CODE);
    return split(Kind.JAVADOC, path, JAVADOC_PARAGRAPH, text);
  }

  /** Returns the paragraphs, list items, table cells and headings of a Markdown file. */
  static List<Passage> ofPage(String path, String markdown) {
    String text =
        FENCED
            .matcher(markdown)
            .replaceAll("\n\n")
            .replaceAll("(?s)<!--.*?-->", "")
            .replaceAll("`[^`]*`", CODE)
            .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
            .replaceAll("(?m)^#+ .*$", "$0\n")
            .replace("**", "");
    return split(Kind.PAGE, path, PAGE_PARAGRAPH, text);
  }

  static Passage ofMessage(String path, String text) {
    return new Passage(Kind.MESSAGE, path, oneLine(text));
  }

  Passage as(Kind other) {
    return new Passage(other, path, text);
  }

  private static List<Passage> split(Kind kind, String path, Pattern between, String text) {
    return between
        .splitAsStream(text)
        .map(Passage::oneLine)
        .filter(paragraph -> !paragraph.isEmpty())
        .map(paragraph -> new Passage(kind, path, paragraph))
        .toList();
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
