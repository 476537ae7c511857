package dev.percolate.views.mustache;

import com.github.mustachejava.DefaultMustacheVisitor;
import com.github.mustachejava.Mustache;
import com.github.mustachejava.MustacheException;
import com.github.mustachejava.TemplateContext;
import com.github.mustachejava.codes.DefaultCode;
import com.github.mustachejava.codes.ExtendCode;
import com.github.mustachejava.codes.PartialCode;
import java.io.Writer;
import java.util.List;

/** Creates the code for references to other templates. Its errors contain the file and line. */
final class PartialVisitor extends DefaultMustacheVisitor {

  private final MustacheTemplates templates;

  PartialVisitor(MustacheTemplates templates) {
    super(templates);
    this.templates = templates;
  }

  @Override
  public void partial(TemplateContext place, String name, String indent) {
    list.add(
        new PartialCode(withUsualMarks(place), templates, name) {
          @Override
          protected String partialName() {
            return path(tc, this.name);
          }
        });
  }

  @Override
  public void extend(TemplateContext place, String name, Mustache blocks) {
    list.add(
        new ExtendCode(place, templates, blocks, name) {
          @Override
          protected String partialName() {
            return path(tc, this.name);
          }
        });
  }

  /**
   * Adds a partial whose name is a value. It is looked up each time, since a cache by name, as in
   * the library, would grow with each name in a request.
   */
  @Override
  public void dynamicPartial(TemplateContext place, String variable, String indent) {
    list.add(
        new DefaultCode(withUsualMarks(place), templates, null, variable, ">") {
          @Override
          public Writer execute(Writer writer, List<Object> scopes) {
            Object value = binding.get(scopes);
            if (value == null) {
              return appendText(writer);
            }
            Mustache partial = templates.compile(path(tc, value.toString()));
            return appendText(partial.execute(writer, scopes));
          }
        });
  }

  private String path(TemplateContext place, String name) {
    String file = place.file();
    String folder = file.substring(0, file.lastIndexOf('/') + 1);
    try {
      return templates.resolvePartialPath(folder, name, file.substring(file.lastIndexOf('.')));
    } catch (MustacheException e) {
      e.setContext(place);
      throw e;
    }
  }

  private static TemplateContext withUsualMarks(TemplateContext place) {
    return new TemplateContext("{{", "}}", place.file(), place.line(), place.startOfLine());
  }
}
