package dev.percolate.http;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Parses and writes the text of {@code application/x-www-form-urlencoded} bodies.
 *
 * <p>The simple grammar knows names and values only; the extended one nests them by brackets:
 * {@code user[name]=x&tags[]=y}. Immutable; each option method returns a changed copy:
 *
 * <ul>
 *   <li>{@code parameterLimit}, 1000: the number of parts allowed;
 *   <li>{@code depth}, 32: the levels of brackets that nest. At the default what lies deeper stays
 *       one literal name; a depth that was set makes it an error;
 *   <li>{@code charsetSentinel}, false: whether a part {@code utf8=} may tell the charset of
 *       escapes;
 *   <li>{@code interpretNumericEntities}, false: whether {@code &#DIGITS;} in ISO-8859-1 values is
 *       one character.
 * </ul>
 *
 * <p>Work and memory grow with the text's length, whatever the text.
 */
public final class Form extends Copyable<Form> {
  private static final int DEFAULT_PARAMETER_LIMIT = 1000;
  private static final int DEFAULT_DEPTH = 32;

  /** Results are walked by recursion, by us and by others, and must not overflow a stack. */
  private static final int GREATEST_DEPTH = 1000;

  private static final int LEAST_INDEX_LIMIT = 100;

  private int parameterLimit = DEFAULT_PARAMETER_LIMIT;
  private int depth;
  private boolean strictDepth;
  private boolean charsetSentinel;
  private boolean numericEntities;

  private Form(int depth) {
    this.depth = depth;
  }

  /**
   * Creates a parser of the simple grammar.
   *
   * @return a parser with default options
   */
  public static Form simple() {
    return new Form(0);
  }

  /**
   * Creates a parser of the extended grammar.
   *
   * @return a parser with default options
   */
  public static Form extended() {
    return new Form(DEFAULT_DEPTH);
  }

  /**
   * Limits the number of parts, empty ones included.
   *
   * @param limit at least 1
   * @throws IllegalArgumentException when the limit is less than 1
   */
  public Form parameterLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("parameterLimit(" + limit + "): less than 1");
    }
    return with(copy -> copy.parameterLimit = limit);
  }

  /**
   * Sets the levels of brackets that nest, and makes more of them an error. For the extended
   * grammar: given to a simple parser it makes an extended one of it, unless it is 0.
   *
   * @param levels at least 0; more than 1000 are taken as 1000
   * @throws IllegalArgumentException when the number is negative
   */
  public Form depth(int levels) {
    if (levels < 0) {
      throw new IllegalArgumentException("depth(" + levels + "): less than 0");
    }
    int bounded = Math.min(levels, GREATEST_DEPTH);
    return with(
        copy -> {
          copy.depth = bounded;
          copy.strictDepth = true;
        });
  }

  /**
   * Chooses whether the first part {@code utf8=} tells the charset of escapes and is left out.
   *
   * @param on true to look for it
   */
  public Form charsetSentinel(boolean on) {
    return with(copy -> copy.charsetSentinel = on);
  }

  /**
   * Chooses whether decimal character references in values count, in ISO-8859-1 only.
   *
   * @param on true to replace them
   */
  public Form interpretNumericEntities(boolean on) {
    return with(copy -> copy.numericEntities = on);
  }

  /**
   * Parses the text of a body.
   *
   * @param body the decoded text
   * @param charset the charset of its escapes: UTF-8, or ISO-8859-1
   * @return a new map in order of first appearance; values are texts, lists and maps with these
   * @throws FormException when there are too many parts, or more levels than an explicit depth
   */
  public Map<String, Object> parse(String body, Charset charset) throws FormException {
    if (body.isEmpty()) {
      return new LinkedHashMap<>();
    }
    int count = 1;
    for (int i = body.indexOf('&'); i >= 0; i = body.indexOf('&', i + 1)) {
      count++;
    }
    if (count > parameterLimit) {
      throw new FormException(FormException.Reason.TOO_MANY_PARAMETERS);
    }
    boolean nests = depth > 0 || strictDepth;
    FormTree tree = new FormTree(nests ? Math.max(LEAST_INDEX_LIMIT, count) : count);
    for (Map.Entry<String, Object> entry : collect(body, charset).entrySet()) {
      if (!entry.getKey().isEmpty()) {
        FormName name = FormName.split(entry.getKey(), depth);
        if (name.tooDeep() && strictDepth) {
          throw new FormException(FormException.Reason.TOO_DEEP);
        }
        tree.add(name, entry.getValue());
      }
    }
    return tree.result();
  }

  /**
   * Writes values as a form in UTF-8, to be parsed by this grammar.
   *
   * <p>The simple grammar repeats the name of a list for each of its texts. The extended one nests
   * maps by their names and lists by their indices: {@code user%5Bname%5D=x&tags%5B0%5D=y}. Null is
   * written as the empty text, everything else that is no map or {@link Iterable} by its {@code
   * toString}; empty maps and lists leave no trace. What {@link #parse} gives is read back as it
   * was, except for names below the top that are empty, numbers, or hold brackets.
   *
   * @param values the values by their names
   * @return the text, empty without values
   * @throws IllegalArgumentException when the values nest deeper than this grammar reads
   */
  public String write(Map<String, ?> values) {
    return new FormWriter(depth).write(values);
  }

  /** Returns a text for each name, or a list of texts for one that is repeated. */
  private Map<String, Object> collect(String body, Charset bodyCharset) {
    boolean latin1 = bodyCharset.equals(StandardCharsets.ISO_8859_1);
    FormText text = FormText.of(body, latin1, charsetSentinel, numericEntities);
    Map<String, Object> values = new LinkedHashMap<>();
    while (text.next()) {
      collect(values, text.name(), text.value());
    }
    return values;
  }

  private static void collect(Map<String, Object> values, String name, String value) {
    Object earlier = values.putIfAbsent(name, value);
    if (earlier instanceof FormTree.Sparse list) {
      list.append(value);
    } else if (earlier != null) {
      FormTree.Sparse list = new FormTree.Sparse();
      list.append(earlier);
      list.append(value);
      values.put(name, list);
    }
  }
}
