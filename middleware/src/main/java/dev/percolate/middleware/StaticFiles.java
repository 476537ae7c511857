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
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET and HEAD with the files below a directory, or a folder of the class path, and passes
 * on what is not there.
 *
 * <p>The path looked for is that of the request's URL, relative to where this is mounted. Several
 * directories are several of these, tried in order; the first that has a directory of the name
 * redirects to it.
 *
 * <p>Mounts, routes and files go by one normal form of the path, so a guard that is mounted at
 * {@code /admin} in front of this sees each request for a file below {@code admin}, however it is
 * written. An encoded slash behind a directory is the error 400; elsewhere it names no file, and is
 * passed on as what is not there, since a parameter of a route may have one. All of this holds
 * unless {@link dev.percolate.core.Settings#AMBIGUOUS_TARGETS} is {@code pass}. A route with the
 * method or the exact path of one request is no guard of files.
 *
 * <p>Where a part of the path begins with a dot, nothing is there, unless an option says otherwise:
 *
 * <pre>{@code
 * app.use(StaticFiles.of(pub).dotted(".well-known")); // /.well-known/security.txt is served
 * }</pre>
 *
 * <p>It is its own options, those of {@link FileOptions} under the same names and three more; each
 * gives a changed copy:
 *
 * <pre>
 *   fallthrough   true    whether what cannot be served is passed on, or is an error
 *   redirect      true    whether a directory without a slash at its end is redirected
 *   fallback      none    the page that stands for pages that are not there
 * </pre>
 */
@CheckReturnValue
public final class StaticFiles extends Copyable<StaticFiles> implements Middleware, StartCheck {

  /** The type of the error that a guard could have taken the path for another one. */
  private static final String AMBIGUOUS = "path.ambiguous";

  private FileOptions options;
  private boolean fallthrough = true;
  private boolean redirect = true;
  private @Nullable String fallback;

  private StaticFiles(FileOptions options) {
    this.options = options;
  }

  /**
   * Serves the files below a directory.
   *
   * @param root the directory, which must exist when the application listens; while it does not,
   *     nothing is served
   * @return the middleware
   * @throws IllegalArgumentException if the path is empty
   */
  public static StaticFiles of(Path root) {
    return new StaticFiles(FileOptions.none().root(root));
  }

  /**
   * Serves the resources below a folder of the class path, in jars and in directories, as the
   * thread that calls this finds them; see {@link FileOptions#classPath}.
   *
   * @param folder the folder, such as {@code /public}; while it does not exist, nothing is served
   * @return the middleware
   * @throws IllegalArgumentException if it is the root of the class path, {@code META-INF}, or no
   *     name of a folder
   */
  public static StaticFiles ofClassPath(String folder) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return ofClassPath(folder, loader == null ? ClassLoader.getSystemClassLoader() : loader);
  }

  /**
   * Serves the resources below a folder of the class path; see {@link FileOptions#classPath}.
   *
   * @param folder the folder, such as {@code /public}
   * @param loader finds the resources
   * @return the middleware
   * @throws IllegalArgumentException if it is the root of the class path, {@code META-INF}, or no
   *     name of a folder
   */
  public static StaticFiles ofClassPath(String folder, ClassLoader loader) {
    return new StaticFiles(FileOptions.none().classPath(folder, loader));
  }

  /**
   * Chooses what becomes of requests that cannot be served. By default they are passed on, with an
   * error only if the file is there but cannot be sent. Otherwise every error is passed on as one,
   * and other methods than GET and HEAD get a 405.
   *
   * @param fallthrough false for errors
   */
  public StaticFiles fallthrough(boolean fallthrough) {
    return with(copy -> copy.fallthrough = fallthrough);
  }

  /**
   * Chooses what becomes of directories without a slash at the end of their path: a redirect, or a
   * 404.
   *
   * @param redirect false for a 404
   */
  public StaticFiles redirect(boolean redirect) {
    return with(copy -> copy.redirect = redirect);
  }

  /**
   * Chooses the page that is sent, with status 200, where nothing is there: for an application of
   * one page, which finds its way by the path itself. It is sent to clients that take HTML no less
   * than JSON, for names without an extension: what a page lacks of its scripts and pictures stays
   * absent. Stands behind the routes, whose paths it would answer otherwise.
   *
   * @param page its path below the directory, such as {@code index.html}; if it is not there
   *     itself, requests go on as without it
   * @throws IllegalArgumentException if it is no path of a file in there
   */
  public StaticFiles fallback(String page) {
    String name = page.startsWith("/") ? page : "/" + page;
    if (name.endsWith("/") || (name + "/").contains("/../") || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("fallback(\"" + page + "\"): not a file's name");
    }
    return with(copy -> copy.fallback = name.replace("%", "%25"));
  }

  /**
   * Chooses the files that stand for a directory; see {@link FileOptions#index(String...)}.
   *
   * @param names the names, {@code index.html} by default; none to send no directory
   */
  public StaticFiles index(String... names) {
    return files(o -> o.index(names));
  }

  /**
   * Chooses the extensions to try where a name without one is not there.
   *
   * @param extensions the extensions, without dot
   */
  public StaticFiles extensions(String... extensions) {
    return files(o -> o.extensions(extensions));
  }

  /**
   * Chooses what happens to names that begin with a dot; see {@link FileOptions#dotfiles(String)}.
   *
   * @param dotfiles {@code allow}, {@code deny} or {@code ignore}
   * @throws IllegalArgumentException if it is another text
   */
  public StaticFiles dotfiles(String dotfiles) {
    return files(o -> o.dotfiles(dotfiles));
  }

  /**
   * Chooses whether files with a dot in front are served where {@link #dotfiles(String)} was not
   * chosen.
   *
   * @param hidden true to serve them
   */
  public StaticFiles hidden(boolean hidden) {
    return files(o -> o.hidden(hidden));
  }

  /**
   * Chooses names that are served although they begin with a dot; see {@link
   * FileOptions#dotted(String...)}.
   *
   * @param names the names, such as {@code .well-known}
   * @throws IllegalArgumentException if one does not begin with a dot, or is no name
   */
  public StaticFiles dotted(String... names) {
    return files(o -> o.dotted(names));
  }

  /**
   * Chooses how long clients may keep files without asking.
   *
   * @param millis milliseconds, 0 by default; more than 365 days count as these
   * @throws IllegalArgumentException if it is negative
   */
  public StaticFiles maxAge(long millis) {
    return files(o -> o.maxAge(millis));
  }

  /**
   * Chooses how long clients may keep files without asking.
   *
   * @param time a time such as {@code 1d}; see {@link FileOptions#maxAge(String)}
   * @throws IllegalArgumentException if it is none
   */
  public StaticFiles maxAge(String time) {
    return files(o -> o.maxAge(time));
  }

  /**
   * Chooses whether answers say that files never change while they may keep them.
   *
   * @param immutable true to tell them
   */
  public StaticFiles immutable(boolean immutable) {
    return files(o -> o.immutable(immutable));
  }

  /**
   * Chooses whether {@code ETag} is sent.
   *
   * @param etag false to leave it out
   */
  public StaticFiles etag(boolean etag) {
    return files(o -> o.etag(etag));
  }

  /**
   * Chooses whether {@code Last-Modified} is sent.
   *
   * @param lastModified false to leave it out
   */
  public StaticFiles lastModified(boolean lastModified) {
    return files(o -> o.lastModified(lastModified));
  }

  /**
   * Chooses whether files are served where symbolic links lead out of the directory; see {@link
   * FileOptions#symlinks}.
   *
   * @param follow true by default; false for a 404
   */
  public StaticFiles symlinks(boolean follow) {
    return files(o -> o.symlinks(follow));
  }

  /**
   * Chooses the compressed files, beside the plain ones, that are served to clients that take them;
   * see {@link FileOptions#precompressed}.
   *
   * @param extensions of {@code br}, {@code zst} and {@code gz} the ones to look for, the best
   *     first
   * @throws IllegalArgumentException if it is another one
   */
  public StaticFiles precompressed(String... extensions) {
    return files(o -> o.precompressed(extensions));
  }

  /**
   * Chooses where the part of files that is sent begins.
   *
   * @param start the first byte, from 0
   * @throws IllegalArgumentException if it is negative
   */
  public StaticFiles start(long start) {
    return files(o -> o.start(start));
  }

  /**
   * Chooses where the part of files that is sent ends.
   *
   * @param end the last byte, inclusive
   * @throws IllegalArgumentException if it is negative
   */
  public StaticFiles end(long end) {
    return files(o -> o.end(end));
  }

  /**
   * Sets further headers for each file.
   *
   * @param hook runs before any header of the file is set; what it sets is kept
   */
  public StaticFiles headers(FileOptions.HeaderHook hook) {
    return files(o -> o.headers(hook));
  }

  @Override
  public void checkStart() {
    options.checkRoot("StaticFiles");
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.method().equals("GET") || req.method().equals("HEAD")) {
      String path = path(req);
      String disposition = res.get("Content-Disposition");
      res.sendFile(path, options, new Unserved(req, path, disposition, res, next));
    } else if (fallthrough) {
      next.run();
    } else {
      res.status(405).set("Allow", "GET, HEAD").set("Content-Length", "0").end();
    }
  }

  /** Returns the path to look for; for the mount point itself the empty one, to be redirected. */
  private static String path(Request req) {
    String path = req.path();
    return path.equals("/") && !req.originalPath().endsWith("/") ? "" : path;
  }

  private StaticFiles files(UnaryOperator<FileOptions> change) {
    return with(copy -> copy.options = change.apply(options));
  }

  /** Takes over where no file was sent. */
  private final class Unserved implements Next {

    private final Request req;
    private final String path;
    private final @Nullable String disposition;
    private final Response res;
    private final Next next;
    private boolean fallen;

    Unserved(Request req, String path, @Nullable String disposition, Response res, Next next) {
      this.req = req;
      this.path = path;
      this.disposition = disposition;
      this.res = res;
      this.next = next;
    }

    /** Takes a directory. */
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
      if (fallback != null && !fallen && isAbsentPage(error)) {
        fallen = true;
        res.vary("Accept");
        if ("html".equals(req.accepts("html", "json"))) {
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

    /** Sets again what is removed when a file cannot be sent by itself. */
    private void restoreDisposition() {
      if (disposition != null) {
        res.set("Content-Disposition", disposition);
      }
    }

    /** Tells whether something is not there that may be a page: its name has no extension. */
    private boolean isAbsentPage(Throwable error) {
      return error instanceof HttpError http
          && http.status() == 404
          && path.indexOf('.', path.lastIndexOf('/') + 1) < 0;
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
