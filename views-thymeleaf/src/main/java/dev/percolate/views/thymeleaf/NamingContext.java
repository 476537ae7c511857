package dev.percolate.views.thymeleaf;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.IEngineConfiguration;
import org.thymeleaf.context.IContext;
import org.thymeleaf.context.IEngineContext;
import org.thymeleaf.context.IEngineContextFactory;
import org.thymeleaf.context.StandardEngineContextFactory;
import org.thymeleaf.engine.TemplateData;

/**
 * Tells the resolver which file names a template. Thymeleaf tells it the name only by which that
 * file was called itself, and keeps templates by this name, which may mean many files.
 *
 * <p>The attributes of resolution reach both the resolver and the keys of the cache, but their
 * accessor is final: hence a proxy of the context.
 */
final class NamingContext implements IEngineContextFactory {

  /** The attribute that holds the path of the file at work. */
  static final String FROM = "from";

  private static final IEngineContextFactory STANDARD = new StandardEngineContextFactory();

  @Override
  public IEngineContext createEngineContext(
      IEngineConfiguration configuration,
      TemplateData data,
      @Nullable Map<String, Object> attributes,
      IContext locals) {
    IEngineContext context = STANDARD.createEngineContext(configuration, data, attributes, locals);
    return (IEngineContext)
        Proxy.newProxyInstance(
            IEngineContext.class.getClassLoader(),
            new Class<?>[] {IEngineContext.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getTemplateResolutionAttributes")) {
                return Map.of(
                    FROM, context.getTemplateData().getTemplateResource().getDescription());
              }
              try {
                return method.invoke(context, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
