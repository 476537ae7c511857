package dev.percolate.views.pug;

import de.neuland.pug4j.template.TemplateLoader;
import dev.percolate.framework.TemplateFiles;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads UTF-8 templates from the views directory. pug4j resolves each name to a path relative to
 * that directory.
 *
 * @param files the directory
 * @param extension the extension to add to names without one
 */
record PugLoader(TemplateFiles files, String extension) implements TemplateLoader {

  /** Returns the text in memory, since pug4j does not close readers. */
  @Override
  public Reader getReader(String name) throws IOException {
    String relative = name.startsWith("/") ? name.substring(1) : name;
    Path file = files.find(relative, files.root().resolve("view." + extension));
    return new StringReader(Files.readString(file, StandardCharsets.UTF_8));
  }

  /** Returns a constant, since changes to cached templates have no effect. */
  @Override
  public long getLastModified(String name) {
    return 0;
  }

  @Override
  public String getExtension() {
    return extension;
  }

  @Override
  public String getBase() {
    return "";
  }
}
