package dev.percolate.middleware;

import dev.percolate.core.FileOptions;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.NormalPath;
import dev.percolate.middleware.files.DirectoryRedirect;
import dev.percolate.middleware.files.HashedNames;
import dev.percolate.middleware.files.HashedPaths;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that serves static files from a directory or from a folder of the class path, for GET
 * and HEAD requests. Requests for files that do not exist continue with the next middleware.
 *
 * <p>The path of the file is the path of the URL, relative to the mount path. To serve several
 * directories, add one instance for each; they are tried in order. The first one that contains a
 * directory with the requested name redirects to it.
 *
 * <p>Mount paths, routes and files use the same normalized path. Middleware that is mounted at
 * {@code /admin} before this one therefore sees every request for a file below {@code admin}. An
 * encoded slash after the name of a directory is a 400 error; elsewhere, it matches no file. All of
 * this applies unless {@link dev.percolate.core.Settings#AMBIGUOUS_TARGETS} is {@code pass}. A
 * route does not protect files, because it matches only its own path and method.
 *
 * <p>Names that begin with a dot are not served, unless an option allows it:
 *
 * <pre>{@code
 * app.use(StaticFiles.of(pub).allowedDotfiles(".well-known")); // /.well-known/security.txt is served
 * }</pre>
 *
 * <p>Options besides those of {@link FileOptions}; each returns a changed copy:
 *
 * <pre>
 *   fallthrough   true    whether requests that cannot be served continue, or are errors
 *   redirect      true    whether the path of a directory is redirected to end with a slash
 *   fallback      none    the page to send if a page does not exist
 *   hashed        false   whether paths may contain a hash of the file
 * </pre>
 */
@CheckReturnValue
public final class StaticFiles extends Copyable<StaticFiles> implements Middleware, StartCheck {

  /** The error type of paths that other middleware could have interpreted differently. */
  private static final String AMBIGUOUS = "path.ambiguous";

  private static final long YEAR = Duration.ofDays(365).toMillis();
  private static final String FOREVER =
      "public, max-age=" + Duration.ofDays(365).toSeconds() + ", immutable";

  private final HashedNames names;
  private FileOptions options;
  private FileOptions.@Nullable HeaderHook hook;
  private boolean fallthrough = true;
  private boolean redirect = true;
  private boolean hashed;
  private @Nullable String fallback;

  private StaticFiles(FileOptions options, HashedNames names) {
    this.options = options;
    this.names = names;
  }

  /**
   * Creates middleware that serves the files below a directory.
   *
   * @param root the directory, which must exist when the server starts. If it does not exist later,
   *     nothing is served
   * @return the middleware
   * @throws IllegalArgumentException if the path is empty
   */
  public static StaticFiles of(Path root) {
    return new StaticFiles(FileOptions.none().root(root), HashedNames.of(root));
  }

  /**
   * Creates middleware that serves the resources below a folder of the class path, in jars and in
   * directories. Uses the context class loader of the calling thread; see {@link
   * FileOptions#classPath}.
   *
   * @param folder the folder, such as {@code /public}. If it does not exist, nothing is served
   * @return the middleware
   * @throws IllegalArgumentException if the folder is the root of the class path, {@code META-INF},
   *     or invalid
   */
  public static StaticFiles ofClassPath(String folder) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return ofClassPath(folder, loader == null ? ClassLoader.getSystemClassLoader() : loader);
  }

  /**
   * Creates middleware that serves the resources below a folder of the class path; see {@link
   * FileOptions#classPath}.
   *
   * @param folder the folder, such as {@code /public}
   * @param loader the class loader that finds the resources
   * @return the middleware
   * @throws IllegalArgumentException if the folder is the root of the class path, {@code META-INF},
   *     or invalid
   */
  public static StaticFiles ofClassPath(String folder, ClassLoader loader) {
    return new StaticFiles(
        FileOptions.none().classPath(folder, loader), HashedNames.of(loader, folder));
  }

  /**
   * Sets whether requests that cannot be served continue with the next middleware. If not, they are
   * errors such as 404, and methods other than GET and HEAD get a 405. A file that exists but
   * cannot be sent is always an error. Default: true.
   *
   * @param fallthrough false for errors
   */
  public StaticFiles fallthrough(boolean fallthrough) {
    return with(copy -> copy.fallthrough = fallthrough);
  }

  /**
   * Sets whether the path of a directory without a slash at its end is redirected to the path with
   * one. Default: true.
   *
   * @param redirect false for a 404
   */
  public StaticFiles redirect(boolean redirect) {
    return with(copy -> copy.redirect = redirect);
  }

  /**
   * Sets the page that is sent with status 200 if a page does not exist, for single-page
   * applications (SPA) with routing in the browser. It is sent to clients that accept HTML and do
   * not prefer JSON, and only for names without an extension, so not for missing scripts and
   * images. Add this middleware after the routes, since it would respond to their paths. Default:
   * none.
   *
   * @param page the path of the page below the directory, such as {@code index.html}. If it does
   *     not exist, requests are handled as if there were no fallback
   * @throws IllegalArgumentException if the path is invalid
   */
  public StaticFiles fallback(String page) {
    String name = page.startsWith("/") ? page : "/" + page;
    if (name.endsWith("/") || (name + "/").contains("/../") || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("fallback(\"" + page + "\"): must be the name of a file");
    }
    return with(copy -> copy.fallback = name.replace("%", "%25"));
  }

  /**
   * Serves each file also at a path that contains a hash of its content, such as {@code
   * /app.1a2b3c4d5e.css} for {@code /app.css}. Clients may cache it for a year, since a changed
   * file has another path. A path with another hash gets the current file, which clients must
   * revalidate, so that pages of another version work during a deployment. Files of more than 64
   * MiB have no hash. Default: false.
   *
   * <pre>{@code
   * StaticFiles assets = StaticFiles.of(pub).hashed();
   * app.use(assets);
   * app.locals().put("asset", assets.hashedPaths()); // <script src="{{ asset['/app.js'] }}">
   * }</pre>
   */
  public StaticFiles hashed() {
    return with(copy -> copy.hashed = true);
  }

  /**
   * Returns the path of a file with the hash of its content; see {@link #hashed}.
   *
   * @param path the path of the file below the directory, such as {@code /app.css}
   * @return the path for pages, without the mount path; unchanged if the file does not exist or has
   *     more than 64 MiB, or if the path is not normalized or has escapes such as {@code %20}
   */
  public String hashedPath(String path) {
    return names.hashed(path);
  }

  /** Returns {@link #hashedPath} as a map, for templates. */
  public Map<String, String> hashedPaths() {
    return new HashedPaths(names::hashed);
  }

  /**
   * Sets the files that are sent for a directory; see {@link FileOptions#index(String...)}.
   *
   * @param names the names, {@code index.html} by default; none to send no files for directories
   */
  public StaticFiles index(String... names) {
    return files(o -> o.index(names));
  }

  /**
   * Sets the extensions to try if there is no file with a requested name without extension.
   *
   * @param extensions the extensions, without dot
   */
  public StaticFiles extensions(String... extensions) {
    return files(o -> o.extensions(extensions));
  }

  /**
   * Sets how names that begin with a dot are handled; see {@link FileOptions#dotfiles(String)}.
   *
   * @param dotfiles {@code allow}, {@code deny} or {@code ignore}
   * @throws IllegalArgumentException for any other value
   */
  public StaticFiles dotfiles(String dotfiles) {
    return files(o -> o.dotfiles(dotfiles));
  }

  /**
   * Sets whether files whose names begin with a dot are served, unless {@link #dotfiles(String)} is
   * set.
   *
   * @param hidden true to serve them
   */
  public StaticFiles hidden(boolean hidden) {
    return files(o -> o.hidden(hidden));
  }

  /**
   * Sets names that are served although they begin with a dot; see {@link
   * FileOptions#allowedDotfiles(String...)}.
   *
   * @param names the names, such as {@code .well-known}
   * @throws IllegalArgumentException if a name does not begin with a dot, or is invalid
   */
  public StaticFiles allowedDotfiles(String... names) {
    return files(o -> o.allowedDotfiles(names));
  }

  /**
   * Sets the {@code max-age} of {@code Cache-Control}: how long clients may use cached files
   * without checking for changes.
   *
   * @param millis the time in milliseconds, at most 365 days; longer times are shortened. Default:
   *     0
   * @throws IllegalArgumentException if the time is negative
   */
  public StaticFiles maxAge(long millis) {
    return files(o -> o.maxAge(millis));
  }

  /**
   * Sets the {@code max-age} of {@code Cache-Control}: how long clients may use cached files
   * without checking for changes.
   *
   * @param time a time such as {@code 1d}; see {@link FileOptions#maxAge(String)}
   * @throws IllegalArgumentException if the time is invalid
   */
  public StaticFiles maxAge(String time) {
    return files(o -> o.maxAge(time));
  }

  /**
   * Sets whether {@code Cache-Control} contains {@code immutable}: files do not change while they
   * may be cached.
   *
   * @param immutable true to send it
   */
  public StaticFiles immutable(boolean immutable) {
    return files(o -> o.immutable(immutable));
  }

  /**
   * Sets whether {@code ETag} is sent. Default: true.
   *
   * @param etag false to omit it
   */
  public StaticFiles etag(boolean etag) {
    return files(o -> o.etag(etag));
  }

  /**
   * Sets whether {@code Last-Modified} is sent. Default: true.
   *
   * @param lastModified false to omit it
   */
  public StaticFiles lastModified(boolean lastModified) {
    return files(o -> o.lastModified(lastModified));
  }

  /**
   * Sets whether to follow symbolic links that lead out of the directory; see {@link
   * FileOptions#symlinks}. Default: true.
   *
   * @param follow false for a 404
   */
  public StaticFiles symlinks(boolean follow) {
    return files(o -> o.symlinks(follow));
  }

  /**
   * Sets the precompressed files that are served instead of the original files to clients that
   * support them; see {@link FileOptions#precompressed}.
   *
   * @param extensions the extensions of the compressed files, of {@code br}, {@code zst} and {@code
   *     gz}, best first
   * @throws IllegalArgumentException for any other extension
   */
  public StaticFiles precompressed(String... extensions) {
    return files(o -> o.precompressed(extensions));
  }

  /**
   * Sets the first byte of files to send.
   *
   * @param start the index of the first byte, from 0
   * @throws IllegalArgumentException if the index is negative
   */
  public StaticFiles start(long start) {
    return files(o -> o.start(start));
  }

  /**
   * Sets the last byte of files to send.
   *
   * @param end the index of the last byte, inclusive
   * @throws IllegalArgumentException if the index is negative
   */
  public StaticFiles end(long end) {
    return files(o -> o.end(end));
  }

  /**
   * Sets a hook that adds headers to each file.
   *
   * @param hook runs before the headers of the file are set, and takes precedence over them
   */
  public StaticFiles headers(FileOptions.HeaderHook hook) {
    return with(
        copy -> {
          copy.options = options.headers(hook);
          copy.hook = hook;
        });
  }

  @Override
  public void checkStart() {
    options.checkRoot("StaticFiles");
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.method().equals("GET") || req.method().equals("HEAD")) {
      String path = path(req);
      Unserved unserved = new Unserved(path, res.get("Content-Disposition"), res, next);
      String plain = hashed ? HashedNames.plain(path) : null;
      if (plain != null && names.isKnown(NormalPath.decoded(path))) {
        res.sendFile(plain, options.maxAge(YEAR).immutable(true), unserved);
      } else {
        res.sendFile(path, options, unserved);
      }
    } else if (fallthrough) {
      next.run();
    } else {
      res.status(405).set("Allow", "GET, HEAD").set("Content-Length", "0").end();
    }
  }

  /** Returns the path of the file; empty for the mount path without a slash, to be redirected. */
  private static String path(Request req) {
    String path = req.path();
    return path.equals("/") && !req.originalPath().endsWith("/") ? "" : path;
  }

  /**
   * Returns the options for the file of a path with a hash. The file is only read to compare the
   * hash when it is sent, since a request can name other files too.
   */
  private FileOptions hashedOptions(String path) {
    FileOptions.HeaderHook own = hook;
    return options
        .maxAge(0)
        .immutable(false)
        .headers(
            (headers, file, attributes) -> {
              if (own != null) {
                own.set(headers, file, attributes);
              }
              if (!headers.contains("Cache-Control") && names.isCurrent(path)) {
                headers.set("Cache-Control", FOREVER);
              }
            });
  }

  private StaticFiles files(UnaryOperator<FileOptions> change) {
    return with(copy -> copy.options = change.apply(options));
  }

  /** Handles requests for which no file was sent. */
  private final class Unserved implements Next {

    private final String path;
    private final @Nullable String disposition;
    private final Response res;
    private final Next next;
    private boolean fallen;

    Unserved(String path, @Nullable String disposition, Response res, Next next) {
      this.path = path;
      this.disposition = disposition;
      this.res = res;
      this.next = next;
    }

    /** Handles a directory. */
    @Override
    public void run() {
      if (redirect && !fallen && !path.endsWith("/")) {
        DirectoryRedirect.send(res);
      } else {
        fail(new HttpError(404));
      }
    }

    @Override
    public void fail(Throwable error) {
      String plain = hashed && !fallen && is404(error) ? HashedNames.plain(path) : null;
      if (plain != null) {
        fallen = true;
        restoreDisposition();
        res.sendFile(plain, hashedOptions(NormalPath.decoded(path)), this);
        return;
      }
      if (fallback != null && !fallen && isAbsentPage(error)) {
        fallen = true;
        res.vary("Accept");
        if ("html".equals(res.req().accepts("html", "json"))) {
          restoreDisposition();
          res.sendFile(fallback, options, this);
          return;
        }
      }
      if (!fallthrough || !isAbsence(error)) {
        next.fail(error);
        return;
      }
      restoreDisposition();
      next.run();
    }

    /** Restores the header that is removed if a file cannot be sent. */
    private void restoreDisposition() {
      if (disposition != null) {
        res.set("Content-Disposition", disposition);
      }
    }

    /** Returns true if no file exists and the path has no file extension. */
    private boolean isAbsentPage(Throwable error) {
      return is404(error) && path.indexOf('.', path.lastIndexOf('/') + 1) < 0;
    }

    private static boolean is404(Throwable error) {
      return error instanceof HttpError http && http.status() == 404;
    }

    @Override
    public void route() {
      next.route();
    }

    private static boolean isAbsence(Throwable error) {
      return error instanceof HttpError http
          && http.status() < 500
          && http.status() != 412
          && http.status() != 416
          && !AMBIGUOUS.equals(http.type());
    }
  }
}
