import org.jspecify.annotations.NullMarked;

/**
 * Described routes: OpenAPI 3.1, checked input, and answers that are compared with what was said.
 */
@NullMarked
module dev.percolate.api {
  requires transitive dev.percolate.framework;
  requires dev.percolate.json;
  requires dev.percolate.middleware;
  requires static dev.percolate.multipart; // for files
  requires dev.percolate.parsers;
  requires static jakarta.validation;
  requires static org.jspecify;
  requires tools.jackson.databind;

  exports dev.percolate.api;

  uses dev.percolate.api.Validation;
}
