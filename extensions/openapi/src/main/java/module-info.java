import org.jspecify.annotations.NullMarked;

/** OpenAPI 3.1 documents, request validation and response checks for described routes. */
@NullMarked
module dev.percolate.openapi {
  requires transitive dev.percolate.framework;
  requires dev.percolate.json;
  requires dev.percolate.middleware;
  requires static dev.percolate.multipart; // for files
  requires dev.percolate.parsers;
  requires static jakarta.validation; // for constraints of described types
  requires static org.jspecify;
  requires tools.jackson.databind;

  exports dev.percolate.openapi;
}
