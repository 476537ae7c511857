package dev.percolate.core;

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
}
