package dev.percolate.inspector.reload;

import dev.percolate.engine.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes and resources of one version of an application. Libraries come from the parent,
 * so they stay loaded and compiled.
 *
 * <p>As the context class loader of a thread, it lets {@link java.util.ServiceLoader} find {@link
 * ReloadEngine} as the only engine, so that {@code listen} is served on a socket that is already
 * open, and {@link LoaderCarrier}.
 */
final class AppLoader extends URLClassLoader {

  static {
    registerAsParallelCapable();
  }

  private static final String SERVICES = "META-INF/services/";

  /**
   * The domain of all classes, with the location of the compiled ones and without a class loader.
   * On a JDK before 24, threads keep the domains of their creator's classes, and would keep their
   * loader.
   */
  private final ProtectionDomain domain;

  private final Predicate<String> managed;
  private final Predicate<String> hasSource;
  private final Engine engine;

  /** Folders in which another tool may have left copies of resources. */
  private final List<String> copies;

  /**
   * Creates a loader.
   *
   * @param folders the folders of classes and resources, in the order of precedence; first that of
   *     the classes compiled from sources
   * @param copies those of the folders in which another tool may have left copies
   * @param managed returns true for classes that must not come from the parent, because they are
   *     compiled from sources
   * @param hasSource returns true for resources that must not come from the copies
   * @param engine serves the application
   */
  AppLoader(
      List<Path> folders,
      List<Path> copies,
      Predicate<String> managed,
      Predicate<String> hasSource,
      Engine engine) {
    super(urls(folders), AppLoader.class.getClassLoader());
    URL location = folders.isEmpty() ? null : getURLs()[0];
    this.domain = new ProtectionDomain(new CodeSource(location, (Certificate[]) null), null);
    this.copies = Stream.of(urls(copies)).map(URL::toString).toList();
    this.hasSource = hasSource;
    this.managed = managed;
    this.engine = engine;
  }

  private static URL[] urls(List<Path> folders) {
    URL[] urls = new URL[folders.size()];
    for (int i = 0; i < urls.length; i++) {
      try {
        String folder = folders.get(i).toUri().toString();
        // A folder that is created later must end with a slash, too.
        urls[i] = new URL(folder.endsWith("/") ? folder : folder + "/");
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(e);
      }
    }
    return urls;
  }

  /** Creates a loader without an application, for the threads of the engine. */
  static AppLoader empty(Engine engine) {
    return new AppLoader(List.of(), List.of(), name -> false, name -> false, engine);
  }

  /** Returns the engine that serves the application. */
  Engine engine() {
    return engine;
  }

  /** Returns true if this loader, not its parent, has loaded a class. */
  boolean hasLoaded(String name) {
    Class<?> known = findLoadedClass(name); // may be one of the parent
    return known != null && known.getClassLoader() == this;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? load(name) : known;
    }
  }

  private Class<?> load(String name) throws ClassNotFoundException {
    URL file = name.startsWith("java.") ? null : findResource(name.replace('.', '/') + ".class");
    if (file != null && (isCompiled(file) || !managed.test(name))) {
      try (InputStream in = file.openStream()) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length, domain);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
    if (managed.test(name)) {
      throw new ClassNotFoundException(name + " (its source was deleted)");
    }
    return getParent().loadClass(name);
  }

  private boolean isCompiled(URL file) {
    return file.toString().startsWith(getURLs()[0].toString());
  }

  @Override
  public @Nullable URL getResource(String name) {
    if (hasSource.test(name)) {
      return current(name);
    }
    URL own = findResource(name);
    return own == null ? getParent().getResource(name) : own;
  }

  /** Returns a resource that may have been deleted, while a copy is still there. */
  private @Nullable URL current(String name) {
    try {
      Enumeration<URL> all = getResources(name);
      return all.hasMoreElements() ? all.nextElement() : null;
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    URL service =
        name.startsWith(SERVICES)
            ? AppLoader.class.getResource("services/" + name.substring(SERVICES.length()))
            : null;
    Map<String, URL> found = new LinkedHashMap<>(); // folders of the class path are in both
    if (service != null) {
      found.put(service.toString(), service);
      if (name.endsWith(Engine.class.getName())) {
        return Collections.enumeration(found.values());
      }
    }
    for (Enumeration<URL> all : List.of(findResources(name), getParent().getResources(name))) {
      Collections.list(all).forEach(url -> found.putIfAbsent(url.toString(), url));
    }
    if (hasSource.test(name)) {
      found.keySet().removeIf(url -> copies.stream().anyMatch(url::startsWith));
    }
    return Collections.enumeration(found.values());
  }
}
