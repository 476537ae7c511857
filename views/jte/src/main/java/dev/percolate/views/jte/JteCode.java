package dev.percolate.views.jte;

import dev.percolate.framework.TemplateFiles;
import gg.jte.CodeResolver;
import gg.jte.TemplateNotFoundException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads UTF-8 templates by their paths relative to the views directory.
 *
 * @param files finds the files
 */
record JteCode(TemplateFiles files) implements CodeResolver {

  @Override
  public @Nullable String resolve(String name) {
    return exists(name) ? resolveRequired(name) : null;
  }

  @Override
  public String resolveRequired(String name) {
    try {
      return Files.readString(file(name), StandardCharsets.UTF_8);
    } catch (FileNotFoundException e) {
      throw new TemplateNotFoundException(e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean exists(String name) {
    try {
      return Files.exists(file(name));
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /**
   * Returns the modification time of a file in nanoseconds: 0 if templates are cached, the maximum
   * if the file is missing.
   */
  @Override
  public long getLastModified(String name) {
    if (files.cached()) {
      return 0;
    }
    try {
      return Files.getLastModifiedTime(file(name)).to(TimeUnit.NANOSECONDS);
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  private Path file(String name) throws FileNotFoundException {
    return files.find(name, files.root().resolve("view.jte"));
  }
}
