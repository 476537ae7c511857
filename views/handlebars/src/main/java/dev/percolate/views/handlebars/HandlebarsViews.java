package dev.percolate.views.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.ValueResolver;
import com.github.jknack.handlebars.context.JavaBeanValueResolver;
import com.github.jknack.handlebars.context.MapValueResolver;
import dev.percolate.core.Settings;
import dev.percolate.framework.TemplateEngine;
import dev.percolate.framework.TemplateFiles;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders Handlebars templates. Output is escaped for HTML, except with {@code {{{…}}}}.
 *
 * <p>Used automatically for views with the extensions {@code hbs} and {@code handlebars}. Register
 * it for other extensions:
 *
 * <pre>{@code
 * app.engine("html", new HandlebarsViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>The name of a partial is relative to the template itself, or else to the setting {@code
 * views}. A name without an extension gets the extension of the template. A name cannot refer to a
 * file outside that directory, even if it contains user input. For a view outside that directory,
 * the directory of the view is used instead.
 *
 * <p>A layout is a partial that prints a block with {@code {{> @partial-block}}}, or that has named
 * blocks with the helpers {@code block} and {@code partial}.
 *
 * <p>Templates read map entries, bean properties and record components, and settings as {@code
 * settings.title} or {@code settings.[view engine]}. The built-in helpers that run scripts or read
 * other files are not available: {@code precompile}, {@code embedded}, {@code i18n} and {@code
 * i18nJs}. If the local {@code cache} is true, as in production, compiled templates are cached and
 * changes to the files have no effect. Error messages contain the file and line.
 *
 * <p>Handlebars logs with SLF4J, which prints a warning to standard error if it finds no provider.
 * Add a provider such as {@code slf4j-jdk14}, or {@code slf4j-nop} to discard the log.
 */
public final class HandlebarsViews implements TemplateEngine {

  private final Map<TemplateFiles, HandlebarsTemplates> kept = new ConcurrentHashMap<>();

  /** Lets templates read settings like the entries of a map. */
  private static final class SettingsResolver implements ValueResolver {

    private static final SettingsResolver INSTANCE = new SettingsResolver();

    @Override
    public @Nullable Object resolve(Object context, String name) {
      return context instanceof Settings settings ? settings.get(name) : UNRESOLVED;
    }

    @Override
    public Object resolve(Object context) {
      return context instanceof Settings ? context : UNRESOLVED;
    }

    /** Returns an empty set, since settings cannot be listed. */
    @Override
    public Set<Map.Entry<String, Object>> propertySet(Object context) {
      return Set.of();
    }
  }

  /** Lets templates read bean properties and record components, but not classes. */
  private static final class MemberResolver extends JavaBeanValueResolver {

    private static final MemberResolver INSTANCE = new MemberResolver();

    /** Returns the methods that templates may call; none for maps, whose keys are read instead. */
    @Override
    protected Set<Method> members(Class<?> type) {
      return Map.class.isAssignableFrom(type) ? Set.of() : super.members(type);
    }

    @Override
    public boolean matches(Method method, String name) {
      if (Class.class.isAssignableFrom(method.getReturnType())) {
        return false; // a class would give templates access to its class loader
      }
      return TemplateEngine.isComponent(method)
          ? method.getName().equals(name)
          : super.matches(method, name);
    }

    @Override
    protected String memberName(Method method) {
      return TemplateEngine.isComponent(method) ? method.getName() : super.memberName(method);
    }
  }

  /** Creates an engine with its own cache. */
  public HandlebarsViews() {}

  /**
   * Renders a template.
   *
   * @throws com.github.jknack.handlebars.HandlebarsException if the template, or one that it
   *     references, is invalid or fails, or if a referenced template is missing
   * @throws java.io.IOException if the template cannot be read
   */
  @Override
  public String render(Path file, Map<String, @Nullable Object> locals) throws Exception {
    TemplateFiles files = TemplateFiles.of(file, locals);
    HandlebarsTemplates templates =
        files.cached()
            ? kept.computeIfAbsent(files, HandlebarsTemplates::new)
            : new HandlebarsTemplates(files);
    Context context =
        Context.newBuilder(locals)
            .resolver(MapValueResolver.INSTANCE, SettingsResolver.INSTANCE, MemberResolver.INSTANCE)
            .build();
    return templates.at(file.toAbsolutePath().normalize()).apply(context);
  }

  @Override
  public List<String> extensions() {
    return List.of("hbs", "handlebars");
  }
}
