package dev.percolate.views.handlebars;

import com.github.jknack.handlebars.io.AbstractTemplateLoader;
import com.github.jknack.handlebars.io.TemplateSource;
import dev.percolate.framework.TemplateFiles;
import java.io.FileNotFoundException;
import java.nio.file.Path;

/** Loads the partials that one template names. */
final class SiblingLoader extends AbstractTemplateLoader {

  private final TemplateFiles files;
  private final Path template;

  SiblingLoader(TemplateFiles files, Path template) {
    this.files = files;
    this.template = template;
  }

  @Override
  public TemplateSource sourceAt(String name) throws FileNotFoundException {
    return new HandlebarsFile(files.find(name, template));
  }

  /** Gives the name of a partial as messages show it. */
  @Override
  public String resolve(String name) {
    return name;
  }
}
