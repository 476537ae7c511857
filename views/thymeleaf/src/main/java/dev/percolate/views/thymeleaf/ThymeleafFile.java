package dev.percolate.views.thymeleaf;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.thymeleaf.templateresource.ITemplateResource;

/**
 * A template in a UTF-8 file.
 *
 * @param path the path of the file
 */
record ThymeleafFile(Path path) implements ITemplateResource {

  @Override
  public String getDescription() {
    return path.toString();
  }

  /** Returns the base name of the message files of this template. */
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

  /** Returns a message file. Thymeleaf calls this only for message files. */
  @Override
  public ITemplateResource relative(String location) {
    return new ThymeleafFile(path.resolveSibling(location));
  }
}
