package dev.percolate.core;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of a form, as a reader of forms with files keeps it; the module {@code multipart} has
 * {@code Upload}.
 *
 * <p>Components of records of such a type take files that have been sent under their name, see
 * {@link Request#form(Class)}. Nothing else makes one: neither fields of a form nor JSON can say
 * what a file is, or where it lies.
 */
public interface FormFile {

  /** Returns the name of the form's field. */
  String field();

  /** Returns the name of the file as the client sent it. */
  String name();

  /** Returns the media type as the client sent it; null if it sent none. */
  @Nullable String type();

  /** Returns the size, in bytes. */
  long size();

  /**
   * Opens the content, for one reader.
   *
   * @throws IOException if it cannot be read, for example because it was moved
   */
  InputStream inputStream() throws IOException;
}
