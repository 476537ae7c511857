package dev.percolate.multipart;

import org.jspecify.annotations.Nullable;

/**
 * Describes a file of a form, before its content arrives.
 *
 * @param field the name of the form field
 * @param name the file name on the client, without a path or control characters; never empty
 * @param type the media type that the client sent, unchecked; null if it sent none
 */
public record FilePart(String field, String name, @Nullable String type) {}
