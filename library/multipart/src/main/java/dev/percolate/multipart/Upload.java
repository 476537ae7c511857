package dev.percolate.multipart;

import dev.percolate.core.FormFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An uploaded file, stored in a temporary file until the response is complete.
 *
 * <p>Records can have it as a component: {@code req.form(Entry.class)}. To keep the file, move it:
 * {@code Files.move(upload.path(), target)}.
 *
 * @param field the name of the form field
 * @param name the file name on the client, without a path or control characters; never empty. The
 *     client chooses it, so do not store the file under this name
 * @param type the media type that the client sent, unchecked; null if it sent none
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
