package dev.percolate.views.freemarker;

import dev.percolate.framework.TemplateFiles;
import freemarker.cache.TemplateLoader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads UTF-8 templates by their paths relative to the root. A source is the path of a file.
 *
 * @param files finds the files
 */
record FilesLoader(TemplateFiles files) implements TemplateLoader {

  @Override
  public @Nullable Object findTemplateSource(String name) {
    try {
      return files.find(name);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  @Override
  public long getLastModified(Object source) {
    return -1; // unknown, since cached templates are not compared
  }

  @Override
  public Reader getReader(Object source, String encoding) throws IOException {
    return Files.newBufferedReader((Path) source, StandardCharsets.UTF_8);
  }

  @Override
  public void closeTemplateSource(Object source) {
    // FreeMarker closes the reader; there is nothing else to close.
  }

  /** Returns the directory, for messages about missing templates. */
  @Override
  public String toString() {
    return "directory \"" + files.root() + "\"";
  }
}
