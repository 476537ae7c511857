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
 * Reads templates, in UTF-8, from the directory of the views; their names are paths below it, which
 * pug4j has made of a name and of the template that gives it.
 *
 * @param files the directory
 * @param extension what is added to names without it
 */
record PugLoader(TemplateFiles files, String extension) implements TemplateLoader {

  /** Returns the whole text: pug4j does not close what it reads. */
  @Override
  public Reader getReader(String name) throws IOException {
    String relative = name.startsWith("/") ? name.substring(1) : name;
    Path file = files.find(relative, files.root().resolve("view." + extension));
    return new StringReader(Files.readString(file, StandardCharsets.UTF_8));
  }

  /** Returns always the same, since a cached template is no longer read. */
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
