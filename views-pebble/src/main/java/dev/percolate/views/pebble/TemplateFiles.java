package dev.percolate.views.pebble;

import io.pebbletemplates.pebble.error.LoaderException;
import io.pebbletemplates.pebble.error.PebbleException;
import io.pebbletemplates.pebble.loader.Loader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads templates, in UTF-8, from a directory that none may leave; their names are whole paths. */
final class TemplateFiles implements Loader<String> {

  private final Path root;

  TemplateFiles(Path root) {
    this.root = root;
  }

  @Override
  public Reader getReader(String file) {
    try {
      return Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new LoaderException(e, "Could not read template \"" + file + "\"");
    }
  }

  /** Gives the path of a template that another one names: beside that, else below the root. */
  @Override
  public @Nullable String resolveRelativePath(@Nullable String name, String anchor) {
    if (name == null) {
      return null; // extends null: no parent
    }
    try {
      Path beside = Path.of(anchor).resolveSibling(name).normalize();
      Path below = root.resolve(name).normalize();
      for (Path path : List.of(beside, below)) {
        if (path.startsWith(root) && Files.exists(path)) {
          return path.toString();
        }
      }
      throw absent(null, name, anchor);
    } catch (InvalidPathException e) {
      throw absent(e, name, anchor);
    }
  }

  @Override
  public String createCacheKey(String name) {
    return name;
  }

  @Override
  public boolean resourceExists(String name) {
    return Files.exists(Path.of(name));
  }

  @Override
  public void setCharset(String charset) {
    throw new UnsupportedOperationException("templates are UTF-8");
  }

  @Override
  public void setPrefix(String prefix) {
    throw new UnsupportedOperationException("templates have whole paths");
  }

  @Override
  public void setSuffix(String suffix) {
    throw new UnsupportedOperationException("templates have their extension");
  }

  private PebbleException absent(@Nullable Throwable cause, String name, String anchor) {
    String message = "No template \"" + name + "\" in the directory \"" + root + "\"";
    return new PebbleException(cause, message, null, anchor);
  }
}
