package dev.percolate.http;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Parses the text of {@code application/x-www-form-urlencoded} bodies.
 *
 * <p>The simple grammar has names and values only. The extended grammar nests them with brackets:
 * {@code user[name]=x&tags[]=y}. Immutable; each option returns a changed copy. The options and
 * their defaults:
 *
 * <ul>
 *   <li>{@code parameterLimit}, 1000: the maximum number of parameters;
 *   <li>{@code depth}, 32: the maximum number of nested brackets. Deeper brackets remain part of a
 *       name, or are an error if this option was set;
 *   <li>{@code charsetSentinel}, false: whether a parameter {@code utf8=} sets the charset of
 *       escapes;
 *   <li>{@code interpretNumericEntities}, false: whether {@code &#DIGITS;} in ISO-8859-1 values is
 *       decoded.
 * </ul>
 *
 * <p>Time and memory are limited by the length of the text, whatever it contains.
 */
public final class Form extends Copyable<Form> {
  private static final int DEFAULT_PARAMETER_LIMIT = 1000;
  private static final int DEFAULT_DEPTH = 32;

  /** The maximum depth. Recursive code that reads the result must not overflow its stack. */
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
   * @return a parser with the default options
   */
  public static Form simple() {
    return new Form(0);
  }

  /**
   * Creates a parser of the extended grammar.
   *
   * @return a parser with the default options
   */
  public static Form extended() {
    return new Form(DEFAULT_DEPTH);
  }

  /**
   * Sets the maximum number of parameters, including empty ones. Default: 1000.
   *
   * @param limit the limit, 1 or more
   * @throws IllegalArgumentException if the limit is less than 1
   */
  public Form parameterLimit(int limit) {
    return with(copy -> copy.parameterLimit = Quantity.atLeast("parameterLimit", 1, limit));
  }

  /**
   * Sets the maximum number of nested brackets, and makes deeper ones an error. Only the extended
   * grammar has brackets: a number above 0 switches a simple parser to it. Default: 32, without the
   * error.
   *
   * @param levels the maximum, 0 or more; numbers above 1000 are reduced to 1000
   * @throws IllegalArgumentException if the number is negative
   */
  public Form depth(int levels) {
    int bounded = Math.min(Quantity.atLeast("depth", 0, levels), GREATEST_DEPTH);
    return with(
        copy -> {
          copy.depth = bounded;
          copy.strictDepth = true;
        });
  }

  /**
   * Sets whether a parameter {@code utf8=} selects the charset of escapes. The first one counts,
   * and is removed. Default: false.
   *
   * @param on true to use this parameter
   */
  public Form charsetSentinel(boolean on) {
    return with(copy -> copy.charsetSentinel = on);
  }

  /**
   * Sets whether decimal character references in ISO-8859-1 values are decoded. Default: false.
   *
   * @param on true to decode references
   */
  public Form interpretNumericEntities(boolean on) {
    return with(copy -> copy.numericEntities = on);
  }

  /**
   * Parses the text of a body.
   *
   * @param body the text of the body
   * @param charset the charset of its escapes: UTF-8 or ISO-8859-1
   * @return a new map in order of first appearance; values are strings, lists and maps of these
   * @throws FormException if there are too many parameters, or brackets deeper than {@link #depth}
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
   * Returns one parameter as text in UTF-8, for parsing with any grammar.
   *
   * @param name the name
   * @param value the value
   * @return {@code name=value}, escaped where necessary
   */
  public static String pair(String name, String value) {
    return Percent.encodeForm(name) + '=' + Percent.encodeForm(value);
  }

  /** Returns the string of each name, or a list of strings if the name is repeated. */
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
