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
 * Passes the path of the referencing template to the resolver. Thymeleaf passes only the name by
 * which that template was referenced, and uses it as a cache key, although several files can have
 * that name.
 *
 * <p>The path is a template resolution attribute, since these reach both the resolver and the cache
 * keys. Their accessor is final, so the context is wrapped in a proxy.
 */
final class NamingContext implements IEngineContextFactory {

  /** The attribute for the path of the referencing template. */
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
