package dev.percolate.testkit;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The templates of {@link TemplateEngineContract} in the language of one engine. Methods return
 * fragments, which are joined to templates; whitespace between fragments is ignored. Names of other
 * templates have no extension.
 */
public interface TemplateLanguage {

  /**
   * Returns the templates of a page by name. {@code list} uses {@code layout}, whose title shows
   * the settings {@code title} and {@code view engine}, separated by a comma. It includes {@code
   * item} for each of the local {@code items}, which prints {@code <li title="1">1</li>}.
   */
  Map<String, String> page();

  /**
   * Returns a fragment that prints a value, escaped: a local, or a property such as {@code a.b}.
   */
  String value(String name);

  /** Returns a fragment that prints a local without escaping. */
  String raw(String local);

  /** Returns a fragment that includes another template, named relative to the including one. */
  String include(String name);

  /** Returns a template with a syntax error in its third line. */
  String illFormed();

  /**
   * Returns a template whose third line fails. It may use the local {@code a}, a string, and {@code
   * page}, the name of an absent template.
   */
  String failing();

  /**
   * Returns templates that must fail or print nothing, because they access classes, or methods that
   * are not properties. Empty if templates can run any code. The locals are {@code a}, a string;
   * {@code b}, an {@link Author}; {@code r}, an {@link Entry}; and {@code l}, a list.
   */
  List<String> forbidden();

  /** Returns a fragment that prints plain text. */
  default String text(String text) {
    return text;
  }

  /** Returns a template that declares its locals, all of them strings. */
  default String declared(String template, String... locals) {
    return template;
  }

  /** Returns a fragment that prints a local, or nothing if it is null or absent. */
  default String optional(String local) {
    return value(local);
  }

  /** Returns a fragment that includes another template, named relative to the views. */
  default String fromViews(String path) {
    return include(path);
  }

  /**
   * Returns a fragment that includes a template whose name, with its extension, is the value of a
   * local; null if only constant names are supported.
   */
  default @Nullable String includeOf(String local) {
    return null;
  }

  /**
   * Returns a template that prints {@code m.k} of a map, {@code r.name} and {@code r.stars} of an
   * {@link Entry}, and {@code b.name} and {@code b.known} of an {@link Author}.
   */
  default String data() {
    return value("m.k") + value("r.name") + value("r.stars") + value("b.name") + value("b.known");
  }

  /**
   * Returns a template that prints the entry of the map {@code m} with the key {@code /a.css}; null
   * if keys must be names.
   */
  default @Nullable String entry() {
    return null;
  }

  /** Returns true if names are looked up relative to the including template, then to the views. */
  default boolean resolvesRelativeNames() {
    return true;
  }

  /** Returns true if a name without an extension gets that of the including template. */
  default boolean addsExtension() {
    return true;
  }

  /** Returns true if the error for an absent template contains the line that names it. */
  default boolean reportsLineOfMissingTemplate() {
    return true;
  }

  /** A record that templates see. */
  record Entry(String name, int stars) {

    /** Returns a value that templates must not see, because it is not a component. */
    public String secret() {
      return "not a component";
    }
  }

  /** A bean that templates see. */
  final class Author {

    /** Creates an author. All authors are equal. */
    public Author() {}

    /** Returns a property of type string. */
    public String getName() {
      return "Ann";
    }

    /** Returns a boolean property. */
    public boolean isKnown() {
      return true;
    }

    /** Returns a class, which templates must not see because it provides access to its loader. */
    public Class<?> getKind() {
      return Author.class;
    }

    /** A method that templates must not call, because it is not a property. */
    public String delete() {
      return "deleted";
    }
  }
}
