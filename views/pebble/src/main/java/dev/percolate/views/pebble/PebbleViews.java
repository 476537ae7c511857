package dev.percolate.views.pebble;

import dev.percolate.core.Settings;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.attributes.AttributeResolver;
import io.pebbletemplates.pebble.attributes.ResolvedAttribute;
import io.pebbletemplates.pebble.error.LoaderException;
import io.pebbletemplates.pebble.error.PebbleException;
import io.pebbletemplates.pebble.extension.AbstractExtension;
import io.pebbletemplates.pebble.loader.Loader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders Pebble templates. Output is escaped for HTML, except with the filter {@code raw}.
 *
 * <p>Used automatically for views with the extensions {@code peb} and {@code pebble}. Register it
 * for other extensions:
 *
 * <pre>{@code
 * app.engine("html", new PebbleViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>A template extends, includes or imports others by file names with their extension. The names
 * are relative to the template itself, or else to the setting {@code views}. A name cannot refer to
 * a file outside that directory, even if it contains user input. For a view outside that directory,
 * the directory of the view is used instead.
 *
 * <p>Templates read settings as {@code settings.title} or {@code settings["view engine"]}. If the
 * local {@code cache} is true, as in production, compiled templates are cached and changes to the
 * files have no effect. Error messages contain the file and line.
 *
 * <p>Pebble logs with SLF4J, which prints a warning to standard error if it finds no provider. Add
 * a provider such as {@code slf4j-jdk14}, or {@code slf4j-nop} to discard the log.
 */
public final class PebbleViews implements TemplateEngine {

  private final Map<TemplateFiles, PebbleEngine> engines = new ConcurrentHashMap<>();

  /** Lets templates read settings like the entries of a map. */
  private static final class SettingsExtension extends AbstractExtension {

    @Override
    public List<AttributeResolver> getAttributeResolver() {
      return List.of(
          (instance, name, values, arguments, context, file, line) ->
              instance instanceof Settings settings && arguments == null
                  ? new ResolvedAttribute(settings.get(String.valueOf(name)))
                  : null);
    }
  }

  /** Creates an engine with its own cache. */
  public PebbleViews() {}

  /**
   * Renders a template.
   *
   * @throws io.pebbletemplates.pebble.error.PebbleException if the template, or one that it
   *     references, is missing, invalid or fails
   * @throws java.io.IOException if writing fails
   */
  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) throws Exception {
    Path template = file.toAbsolutePath().normalize();
    StringWriter text = new StringWriter();
    engines
        .computeIfAbsent(TemplateFiles.of(template, locals), PebbleViews::engine)
        .getTemplate(template.toString())
        .evaluate(text, locals);
    return text.toString();
  }

  @Override
  public List<String> extensions() {
    return List.of("peb", "pebble");
  }

  private static PebbleEngine engine(TemplateFiles files) {
    return new PebbleEngine.Builder()
        .loader(new PebbleLoader(files))
        .extension(new SettingsExtension())
        .cacheActive(files.cached())
        .build();
  }

  /**
   * Reads UTF-8 templates from the views directory. Template names are absolute paths.
   *
   * @param files finds the files
   */
  private record PebbleLoader(TemplateFiles files) implements Loader<String> {

    @Override
    public Reader getReader(String file) {
      try {
        return Files.newBufferedReader(files.path(file), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new LoaderException(e, "Could not read template \"" + file + "\"");
      }
    }

    /**
     * Returns the path of a referenced template: next to the anchor, else in the views directory.
     */
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
}
