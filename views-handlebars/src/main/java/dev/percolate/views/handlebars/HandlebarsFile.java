package dev.percolate.views.handlebars;

import com.github.jknack.handlebars.io.TemplateSource;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A template in a file, in UTF-8, read only when it is compiled.
 *
 * @param path the file: absolute and normalized
 */
record HandlebarsFile(Path path) implements TemplateSource {

  @Override
  public String content(Charset charset) throws IOException {
    return Files.readString(path, StandardCharsets.UTF_8);
  }

  @Override
  public String filename() {
    return path.toString();
  }

  @Override
  public long lastModified() {
    return 0;
  }
}
