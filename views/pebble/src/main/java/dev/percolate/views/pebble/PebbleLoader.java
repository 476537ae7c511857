package dev.percolate.views.pebble;

import dev.percolate.framework.TemplateFiles;
import io.pebbletemplates.pebble.error.LoaderException;
import io.pebbletemplates.pebble.error.PebbleException;
import io.pebbletemplates.pebble.loader.Loader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/**
 * Reads UTF-8 templates from the views directory. Template names are absolute paths.
 *
 * @param files finds the files
 */
record PebbleLoader(TemplateFiles files) implements Loader<String> {

  @Override
  public Reader getReader(String file) {
    try {
      return Files.newBufferedReader(files.path(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new LoaderException(e, "Could not read template \"" + file + "\"");
    }
  }

  /** Returns the path of a referenced template: next to the anchor, else in the views directory. */
  @Override
  public @Nullable String resolveRelativePath(@Nullable String name, String anchor) {
    if (name == null) {
      return null; // "extends null" means no parent
    }
    try {
      return files.find(name, files.path(anchor)).toString();
    } catch (FileNotFoundException e) {
      throw new PebbleException(e, e.getMessage(), null, anchor);
    }
  }

  @Override
  public String createCacheKey(String name) {
    return name;
  }

  @Override
  public boolean resourceExists(String name) {
    return Files.exists(files.path(name));
  }

  @Override
  public void setCharset(String charset) {
    throw new UnsupportedOperationException("no charset: templates are always read as UTF-8");
  }

  @Override
  public void setPrefix(String prefix) {
    throw new UnsupportedOperationException("no prefix: template names are absolute paths");
  }

  @Override
  public void setSuffix(String suffix) {
    throw new UnsupportedOperationException("no suffix: template names have an extension");
  }
}
