package dev.percolate.checks;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A phrase that is not plain English.
 *
 * @param name the name in the baseline
 * @param hit a text that contains the phrase
 * @param miss a similar text without it
 */
record Phrase(String name, Set<Passage.Kind> kinds, Pattern pattern, String hit, String miss) {

  private static final String START = "(?:^|[.!?:][)\"']* )";

  private static final String NO_QUESTION = "(?![^.!?]*\\?)";

  private static final Set<Passage.Kind> ALL_KINDS =
      EnumSet.complementOf(EnumSet.of(Passage.Kind.SETTER_JAVADOC));

  static final List<Phrase> ALL =
      List.of(
          new Phrase(
              "Who",
              START + "(?:Who|Whom|Whoever|Nobody|Somebody)\\b" + NO_QUESTION,
              "The server waits. Who asks twice gets an error.",
              "The server waits. Who may stop it? The client, who asks twice, or nobody."),
          new Phrase(
              "What",
              START + "What\\b" + NO_QUESTION,
              "What no handler responds to is a 404.",
              "What is a router? It shows what happens. Whatever."),
          new Phrase(
              "Tells-whether",
              "Tells whether",
              "Tells whether a file exists.",
              "Tells clients whether a file exists."),
          new Phrase(
              "Says",
              "Says (?:how|what|whether)\\b",
              "Says how long it takes.",
              "Says however little is known."),
          new Phrase(
              "that-is-none",
              "that is none\\b",
              "a size that is none",
              "a size that is nonetheless valid"),
          new Phrase(
              "is-no",
              "(?<!there )is no [a-z]+ (?:that|which)\\b",
              "It is no thread that may wait.",
              "If there is no thread that may wait, it is no thread."),
          new Phrase(
              "not-longer-than",
              "not longer than",
              "timeout: not longer than nothing",
              "timeout: no longer than a minute"),
          new Phrase(
              "in-the-place-of",
              "in the place of",
              "in the place of the body",
              "in place of the body"),
          new Phrase(
              "stands",
              "stands (?:above|below|behind)\\b",
              "It stands above the router.",
              "It stands alone, above the router."),
          new Phrase(
              "behind",
              "behind (?:it|them|this|the (?:last|head|answer|response))\\b",
              "The body comes behind the head.",
              "The server runs behind a proxy, or behind items."),
          new Phrase(
              "Returns-clause",
              "Returns (?:up|how many|where|when)\\b",
              "Returns how many lines wait.",
              "Returns the number of lines, and how many wait."),
          new Phrase(
              "answer",
              Passage.Kind.JAVADOC,
              "\\b(?:an|the|its|their|each|every|no|any|whose|one|this|first|last|whole|final|late"
                  + "|early|same|other|second|empty|of|with|without|for|in|on|before|after|from)"
                  + " answers?\\b",
              "Ends the answer.",
              "Registers handlers that answer requests, and the answering one."),
          new Phrase(
              "Returns-itself",
              Passage.Kind.SETTER_JAVADOC,
              "^Returns (?!(?:an?|the) )",
              "Returns these options, with a capacity.",
              "Returns a copy with a capacity. Returns early."));

  private Phrase(String name, String pattern, String hit, String miss) {
    this(name, ALL_KINDS, Pattern.compile(pattern), hit, miss);
  }

  private Phrase(String name, Passage.Kind kind, String pattern, String hit, String miss) {
    this(name, EnumSet.of(kind), Pattern.compile(pattern), hit, miss);
  }

  boolean isIn(Passage passage) {
    return kinds.contains(passage.kind()) && isIn(passage.text());
  }

  boolean isIn(String text) {
    return pattern.matcher(text).find();
  }
}
