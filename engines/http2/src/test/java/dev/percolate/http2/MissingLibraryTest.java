package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.nio.NioEngine;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A class path with {@code percolate-http2}, but without a library that it needs. */
final class MissingLibraryTest {

  private static final String NAMED =
      "percolate-http2 needs org.apache.httpcomponents.core5:httpcore5-h2,"
          + " which is missing or has another version. Add it, or remove percolate-http2.";

  @ParameterizedTest
  @CsvSource({"httpcore5-h2-, true", "httpcore5-5, true", "httpcore5, true", "nothing, false"})
  void aServerThatNeedsHttp2NamesTheMissingLibrary(String missing, boolean rejected)
      throws Exception {
    assertEquals(rejected ? NAMED : "listening", listen(missing, true));
  }

  @ParameterizedTest
  @CsvSource({"httpcore5-h2-", "httpcore5"})
  void aServerWithoutHttp2StartsWithoutTheLibrary(String missing) throws Exception {
    assertEquals("listening", listen(missing, false));
  }

  private static String listen(String missing, boolean http2) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      ClassLoader loader = new OwnFirst(without(missing));
      thread.setContextClassLoader(loader);
      Class<?> type = loader.loadClass(http2 ? Http2.class.getName() : Http1.class.getName());
      return (String) ((Callable<?>) type.getConstructor().newInstance()).call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /**
   * Searches its own locations first, since the platform loader has the modules of this process.
   */
  private static final class OwnFirst extends URLClassLoader {

    OwnFirst(URL[] places) {
      super(places, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) {
          return known;
        }
        try {
          return findClass(name);
        } catch (ClassNotFoundException e) {
          if (name.startsWith("dev.percolate.") || name.startsWith("org.apache.hc.")) {
            throw e;
          }
          return super.loadClass(name, resolve);
        }
      }
    }
  }

  /** Returns the class path, without files whose names begin with a prefix. */
  private static URL[] without(String missing) throws MalformedURLException {
    List<String> places = new ArrayList<>(List.of("target/classes", "target/test-classes"));
    for (String property : List.of("jdk.module.path", "java.class.path")) {
      places.addAll(List.of(System.getProperty(property, "").split(File.pathSeparator)));
    }
    List<URL> kept = new ArrayList<>();
    for (String place : places) {
      Path path = Path.of(place);
      if (!place.isEmpty() && !path.toFile().getName().startsWith(missing)) {
        kept.add(path.toUri().toURL());
      }
    }
    return kept.toArray(URL[]::new);
  }

  /** Starts a server with HTTP/2; returns the outcome. */
  public static final class Http2 implements Callable<String> {

    /** Creates an instance; called by the test. */
    public Http2() {}

    @Override
    public String call() throws Exception {
      return start(true);
    }
  }

  /** Starts a server without HTTP/2; returns the outcome. */
  public static final class Http1 implements Callable<String> {

    /** Creates an instance; called by the test. */
    public Http1() {}

    @Override
    public String call() throws Exception {
      return start(false);
    }
  }

  private static String start(boolean http2) throws Exception {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").http2PriorKnowledge(http2);
    try (Server server = new NioEngine().listen(Chain.service(new Settings()), options)) {
      return server.connections() == 0 ? "listening" : "connected";
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
