package dev.percolate.multipart;

import org.jspecify.annotations.Nullable;

/**
 * Describes a file of a form whose bytes are about to come.
 *
 * @param field the name of the form's field
 * @param name the file's name on the client: no path, never empty, without control characters
 * @param type the media type that the client tells, not checked; null if it tells none
 */
public record FilePart(String field, String name, @Nullable String type) {}
