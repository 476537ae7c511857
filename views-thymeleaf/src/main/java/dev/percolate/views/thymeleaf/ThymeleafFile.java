package dev.percolate.views.thymeleaf;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.thymeleaf.templateresource.ITemplateResource;

/**
 * One template, in UTF-8.
 *
 * @param path where it is
 */
record ThymeleafFile(Path path) implements ITemplateResource {

  @Override
  public String getDescription() {
    return path.toString();
  }

  /** Returns the name that files with the messages of the template begin with. */
  @Override
  public String getBaseName() {
    String name = path.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  @Override
  public boolean exists() {
    return Files.isRegularFile(path);
  }

  @Override
  public Reader reader() throws IOException {
    return Files.newBufferedReader(path, StandardCharsets.UTF_8);
  }

  /** Returns a file with messages: only for these does Thymeleaf ask, by base name and locale. */
  @Override
  public ITemplateResource relative(String location) {
    return new ThymeleafFile(path.resolveSibling(location));
  }
}
