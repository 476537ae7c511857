package dev.percolate.json;

/**
 * Says what to do where the annotations of Jackson are older than Jackson: they are one library for
 * Jackson 2 and 3, so a parent POM or a BOM for Jackson 2 may choose them.
 */
final class OldAnnotations {

  /** An annotation that the oldest version that suffices has, and the one before it has not. */
  private static final String NEWEST = "com.fasterxml.jackson.annotation.JsonSerializeAs";

  private OldAnnotations() {}

  /**
   * Returns an exception that says what to do.
   *
   * @param error what happened
   * @throws LinkageError the same error, if it has another reason
   */
  static IllegalStateException explained(LinkageError error) {
    try {
      Class.forName(NEWEST, false, OldAnnotations.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return new IllegalStateException(
          "JSON of records and beans needs com.fasterxml.jackson.core:jackson-annotations 2.21 or"
              + " newer. The class path has an older one: a parent POM or BOM that manages it has"
              + " to be newer (Spring Boot 3.5.13, jackson-bom 2.21), or to be overruled (in Maven"
              + " by dependencyManagement)",
          error);
    }
    throw error;
  }
}
