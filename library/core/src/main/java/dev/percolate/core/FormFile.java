package dev.percolate.core;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * An uploaded file of a form. The module {@code multipart} implements it as {@code Upload}.
 *
 * <p>A record component of such a type receives the file with its name, see {@link
 * Request#form(Class)}. Form fields and JSON cannot create one, so a client cannot specify a file
 * or its location.
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
