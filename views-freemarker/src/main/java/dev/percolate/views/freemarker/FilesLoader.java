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

/** Reads templates, in UTF-8, by their paths below the root; a source is the path of its file. */
final class FilesLoader implements TemplateLoader {

  private final TemplateFiles files;

  FilesLoader(TemplateFiles files) {
    this.files = files;
  }

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
    return -1; // unknown: what is kept is not compared
  }

  @Override
  public Reader getReader(Object source, String encoding) throws IOException {
    return Files.newBufferedReader((Path) source, StandardCharsets.UTF_8);
  }

  @Override
  public void closeTemplateSource(Object source) {
    // The reader is all there is to close, and the one who reads closes it.
  }

  /** Tells the directory, for messages on templates that are absent. */
  @Override
  public String toString() {
    return "directory \"" + files.root() + "\"";
  }
}
