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
 * Renders templates of Handlebars; what they print is escaped for HTML unless they say {@code
 * {{{…}}}}.
 *
 * <p>It is found for views with the extensions {@code hbs} and {@code handlebars}; for others it is
 * registered:
 *
 * <pre>{@code
 * app.engine("html", new HandlebarsViews()).set("view engine", "html");
 * }</pre>
 *
 * <p>A partial is named relative to the template that names it, else to the setting {@code views};
 * without an extension it has that of the template. It must lie in that directory (for a view from
 * elsewhere: in the directory of the view), whatever its name: a name may be made of values. A
 * layout is a partial around a block, which it prints by {@code {{> @partial-block}}}; or one with
 * places of its own, by the helpers {@code block} and {@code partial}. Compiled templates are kept
 * where the local {@code cache} is true, and then no longer read: it is so in production. Errors
 * name file and line.
 *
 * <p>Templates see the keys of maps, the properties of beans and the components of records, and
 * settings as {@code settings.title} or {@code settings.[view engine]}. Of the helpers that the
 * library brings, those that run scripts or read other files are absent: {@code precompile}, {@code
 * embedded}, {@code i18n} and {@code i18nJs}.
 *
 * <p>Handlebars logs by SLF4J, which says once on standard error if it has no provider. Which one
 * it gets, such as {@code slf4j-jdk14} or {@code slf4j-nop}, is up to the application.
 */
public final class HandlebarsViews implements TemplateEngine {

  private final Map<TemplateFiles, HandlebarsTemplates> kept = new ConcurrentHashMap<>();

  /** Lets templates read settings as if they were a map. */
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

    /** Returns nothing: settings cannot be listed. */
    @Override
    public Set<Map.Entry<String, Object>> propertySet(Object context) {
      return Set.of();
    }
  }

  /** Lets templates read the properties of beans and the components of records; never classes. */
  private static final class MemberResolver extends JavaBeanValueResolver {

    private static final MemberResolver INSTANCE = new MemberResolver();

    /** Returns the methods that templates may call; of maps none, since these have keys. */
    @Override
    protected Set<Method> members(Class<?> type) {
      return Map.class.isAssignableFrom(type) ? Set.of() : super.members(type);
    }

    @Override
    public boolean matches(Method method, String name) {
      if (Class.class.isAssignableFrom(method.getReturnType())) {
        return false; // from a class, templates could go on to its loader
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

  /** Creates an engine, with a cache of its own. */
  public HandlebarsViews() {}

  /**
   * Renders a template.
   *
   * @throws com.github.jknack.handlebars.HandlebarsException if it, or one that it names, is
   *     ill-formed or fails, or if one that it names is absent
   * @throws java.io.IOException if it cannot be read
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
