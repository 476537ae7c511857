package dev.percolate.multipart;

import dev.percolate.core.FormFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Holds one file of a form, kept in a temporary file until the answer is over.
 *
 * <p>Records take it as a component: {@code req.form(Entry.class)}. Who wants to keep it moves it
 * away: {@code Files.move(upload.path(), target)}.
 *
 * @param field the name of the form's field
 * @param name the file's name on the client: no path, never empty, without control characters.
 *     Still chosen by the client, so no name to store it by
 * @param type the media type that the client tells, not checked; null if it tells none
 * @param size the size in bytes
 * @param path the temporary file
 */
public record Upload(String field, String name, @Nullable String type, long size, Path path)
    implements FormFile {

  @Override
  public InputStream inputStream() throws IOException {
    return Files.newInputStream(path);
  }
}
