/** OpenAPI documents, request validation and response checks for described routes. */
package dev.percolate.openapi;
