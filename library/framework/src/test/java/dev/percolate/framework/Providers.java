package dev.percolate.framework;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Makes test classes available as service providers. The tests are patched into the module under
 * test, whose descriptor names no provider, so the classes are loaded again outside any module.
 */
final class Providers extends ClassLoader {

  private final Path services;
  private final Map<String, Class<?>> providers = new LinkedHashMap<>();

  /**
   * Creates a loader with providers of template engines.
   *
   * @param folder the directory for the file that names the providers
   * @param providers the provider classes
   */
  Providers(Path folder, Class<?>... providers) throws IOException {
    super(Providers.class.getClassLoader());
    Arrays.stream(providers).forEach(one -> this.providers.put(one.getName(), one));
    this.services = folder.resolve("services");
    Files.write(services, this.providers.keySet(), UTF_8);
  }

  /** Runs a call that finds these providers on the calling thread. */
  <T> T during(Callable<T> call) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(this);
    try {
      return call.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    Class<?> provider = providers.get(name);
    return provider == null ? super.loadClass(name, resolve) : again(provider);
  }

  @Override
  protected Enumeration<URL> findResources(String name) throws IOException {
    boolean asked = name.equals("META-INF/services/" + TemplateEngine.class.getName());
    return Collections.enumeration(asked ? List.of(services.toUri().toURL()) : List.of());
  }

  private synchronized Class<?> again(Class<?> provider) {
    Class<?> known = findLoadedClass(provider.getName());
    if (known != null) {
      return known;
    }
    String file = "/" + provider.getName().replace('.', '/') + ".class";
    try (InputStream in = Objects.requireNonNull(provider.getResourceAsStream(file))) {
      byte[] bytes = in.readAllBytes();
      return defineClass(provider.getName(), bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
