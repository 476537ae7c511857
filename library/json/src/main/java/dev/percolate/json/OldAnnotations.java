package dev.percolate.json;

/**
 * Detects annotations of Jackson that are older than Jackson itself. Jackson 2 and 3 share this
 * library, so a parent POM or BOM for Jackson 2 may select its version.
 */
final class OldAnnotations {

  /** An annotation that the oldest supported version has, but not the version before it. */
  private static final String NEWEST = "com.fasterxml.jackson.annotation.JsonSerializeAs";

  private OldAnnotations() {}

  /**
   * Returns an exception that explains how to correct the version.
   *
   * @param error the error that occurred
   * @throws LinkageError the same error, if the version is not the cause
   */
  static IllegalStateException explained(LinkageError error) {
    try {
      Class.forName(NEWEST, false, OldAnnotations.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return new IllegalStateException(
          "JSON of records and beans needs com.fasterxml.jackson.core:jackson-annotations 2.21 or"
              + " newer. The class path has an older version. Update the parent POM or BOM that"
              + " manages it (Spring Boot 3.5.13, jackson-bom 2.21), or override the version (in"
              + " Maven with dependencyManagement).",
          error);
    }
    throw error;
  }
}
