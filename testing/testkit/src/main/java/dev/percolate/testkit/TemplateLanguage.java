package dev.percolate.testkit;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the templates of {@link TemplateEngineContract} in the language of one engine. A template
 * is made of parts in a row, between which white space does not count; the names of other templates
 * are given without their extension.
 */
public interface TemplateLanguage {

  /**
   * Returns the templates of a page: {@code list} uses {@code layout}, whose title shows the
   * settings {@code title} and {@code view engine} with a comma in between, and prints {@code item}
   * for each of the local {@code items}: {@code <li title="1">1</li>}.
   */
  Map<String, String> page();

  /** Returns a part that prints a value, escaped: a local, or by {@code a.b} a property of one. */
  String value(String name);

  /** Returns a part that prints a local as it is. */
  String raw(String local);

  /** Returns a part that prints another template, named relative to the one that names it. */
  String include(String name);

  /** Returns a template whose third line is ill-formed. */
  String illFormed();

  /**
   * Returns a template whose third line fails, also by means of the locals {@code a}, a text, and
   * {@code page}, the name of a template that is absent.
   */
  String failing();

  /**
   * Returns templates that must fail or print nothing, since they reach for classes, or for methods
   * that are no properties; none if templates are code, which may do anything. They see the locals
   * {@code a}, a text; {@code b}, an {@link Author}; {@code r}, an {@link Entry}; {@code l}, a
   * list.
   */
  List<String> forbidden();

  /** Returns a part that is plain text. */
  default String text(String text) {
    return text;
  }

  /** Returns a template that declares the locals that it uses, all of them texts. */
  default String declared(String template, String... locals) {
    return template;
  }

  /** Returns a part that prints a local, and nothing if that is null or absent. */
  default String optional(String local) {
    return value(local);
  }

  /** Returns a part that prints another template, named by its path below the views. */
  default String fromViews(String path) {
    return include(path);
  }

  /**
   * Returns a part that prints another template, whose name, with its extension, is a local; null
   * if templates name others by constants only.
   */
  default @Nullable String includeOf(String local) {
    return null;
  }

  /**
   * Returns a template that prints {@code m.k}, {@code r.name}, {@code r.stars}, {@code b.name} and
   * {@code b.known}, of a map, an {@link Entry} and an {@link Author}.
   */
  default String data() {
    return value("m.k") + value("r.name") + value("r.stars") + value("b.name") + value("b.known");
  }

  /** Tells whether a template may lie beside the one that names it, or only below the views. */
  default boolean looksBeside() {
    return true;
  }

  /** Tells whether a name without an extension gets that of the template that names it. */
  default boolean addsExtension() {
    return true;
  }

  /** Tells whether the error for a name whose template is absent tells the line, too. */
  default boolean namesLineOfNames() {
    return true;
  }

  /** A record that templates see. */
  record Entry(String name, int stars) {

    /** Returns what templates do not see, since it is not a component. */
    public String secret() {
      return "no component";
    }
  }

  /** A bean that templates see. */
  final class Author {

    /** Creates an author; all are equal. */
    public Author() {}

    /** Returns a property. */
    public String getName() {
      return "Ann";
    }

    /** Returns a property that is true. */
    public boolean isKnown() {
      return true;
    }

    /** Returns what templates do not see, since a class leads to its loader. */
    public Class<?> getKind() {
      return Author.class;
    }

    /** Does what templates must not do, since it is not a property. */
    public String delete() {
      return "deleted";
    }
  }
}
