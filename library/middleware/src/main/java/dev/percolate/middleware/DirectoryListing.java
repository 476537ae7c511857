package dev.percolate.middleware;

import dev.percolate.core.Directory;
import dev.percolate.core.FileOptions;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.files.ListingPage;
import dev.percolate.middleware.files.ReadOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Middleware that lists the files of directories, as an HTML page, text or JSON, depending on
 * {@code Accept}; listings have {@code Vary: Accept}. It responds to GET and HEAD requests for
 * directories below a root. Requests for files and unknown paths are passed on, so combine it with
 * {@link StaticFiles} of the same root.
 *
 * <p>Paths map to directories as in {@link StaticFiles}. A path that cannot be decoded gets 400; a
 * path that leads out of the root gets 403. Each option returns a changed copy:
 *
 * <pre>
 *   hidden       false      whether names that begin with a dot are listed and found
 *   symlinks     true       whether links that lead out of the root are followed
 *   filter       all        the names to list
 *   view         tiles      the view of the page: tiles or details
 *   icons        false      whether the page shows icons for files and directories
 *   stylesheet   built-in   the CSS of the page
 *   template     built-in   the page, with {style}, {files}, {directory} and {linked-path}
 * </pre>
 *
 * <pre>{@code
 * app.use("/pub", StaticFiles.of(pub).index(), DirectoryListing.of(pub).view("details"));
 * }</pre>
 */
@CheckReturnValue
public final class DirectoryListing extends Copyable<DirectoryListing>
    implements Middleware, StartCheck {

  private static final List<String> TYPES = List.of("text/html", "text/plain", "application/json");

  private FileOptions options;
  private Filter filter = (name, index, names, directory) -> true;
  private String view = "tiles";
  private boolean icons;
  private String stylesheet = ListingPage.STYLE;
  private String template = ListingPage.HTML;

  private DirectoryListing(FileOptions options) {
    this.options = options;
  }

  /** Selects the names that are listed. */
  @FunctionalInterface
  public interface Filter {

    /**
     * Returns true if a name is listed.
     *
     * @param name the name
     * @param index the index of the name in {@code names}
     * @param names all names, in the order of their UTF-8 bytes
     * @param directory the directory
     * @return true to list the name
     */
    boolean accepts(String name, int index, List<String> names, Path directory);
  }

  /**
   * Creates middleware that lists a root directory and the directories below it.
   *
   * @param root the root, which must exist when the server starts; if it is missing later, all
   *     requests are passed on
   * @return the middleware
   * @throws IllegalArgumentException if the path is empty
   */
  public static DirectoryListing of(Path root) {
    if (root.toString().isEmpty()) {
      throw new IllegalArgumentException("DirectoryListing.of: the root must not be empty");
    }
    return new DirectoryListing(FileOptions.none().root(root));
  }

  /**
   * Sets whether names that begin with a dot are listed, and directories below such names are
   * found. Default: false.
   *
   * @param hidden true to list them
   */
  public DirectoryListing hidden(boolean hidden) {
    return with(copy -> copy.options = options.hidden(hidden));
  }

  /**
   * Sets whether symbolic links that lead out of the root are followed; see {@link
   * FileOptions#symlinks}. Default: true.
   *
   * @param follow false to treat such links as missing
   */
  public DirectoryListing symlinks(boolean follow) {
    return with(copy -> copy.options = options.symlinks(follow));
  }

  /**
   * Sets which names are listed. Default: all.
   *
   * @param filter called for each name; for hidden names only if these are listed
   */
  public DirectoryListing filter(Filter filter) {
    return with(copy -> copy.filter = filter);
  }

  /**
   * Sets the view of the page. Default: {@code tiles}.
   *
   * @param view {@code tiles} or {@code details}
   * @throws IllegalArgumentException if there is no such view
   */
  public DirectoryListing view(String view) {
    if (!List.of("tiles", "details").contains(view)) {
      throw Options.wrong("view", view, "must be tiles or details");
    }
    return with(copy -> copy.view = view);
  }

  /**
   * Sets whether the page shows icons for files and directories. Default: false.
   *
   * @param icons true to show icons
   */
  public DirectoryListing icons(boolean icons) {
    return with(copy -> copy.icons = icons);
  }

  /**
   * Sets the CSS of the page.
   *
   * @param css a style sheet, inserted without escaping
   */
  public DirectoryListing stylesheet(String css) {
    return with(copy -> copy.stylesheet = css);
  }

  /**
   * Sets the HTML of the page. These placeholders are replaced: {@code {style}} by the style sheet,
   * {@code {files}} by the list, {@code {directory}} by the path, and {@code {linked-path}} by the
   * path as links.
   *
   * @param html a page with these placeholders
   */
  public DirectoryListing template(String html) {
    return with(copy -> copy.template = html);
  }

  @Override
  public void checkStart() {
    options.checkRoot("DirectoryListing");
  }

  @Override
  public void handle(Request req, Response res, Next next) throws IOException {
    if (!ReadOnly.allows(req, res)) {
      return;
    }
    Directory directory = Directory.find(req, options);
    if (directory == null) {
      next.run();
      return;
    }
    List<String> names = names(directory);
    String type = PreferredType.of(req, res, TYPES);
    if (type == null) {
      throw new HttpError(406);
    }
    String body =
        switch (type) {
          case "application/json" ->
              req.settings().jsonCodec().write(names, JsonCodec.WriteOptions.COMPACT);
          case "text/plain" -> String.join("\n", names) + "\n";
          default ->
              new ListingPage(template, stylesheet, view, icons)
                  .of(req.originalPath(), directory, names);
        };
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    res.set("Content-Type", type + "; charset=utf-8")
        .set("Content-Length", Integer.toString(bytes.length))
        .end(bytes);
  }

  private List<String> names(Directory directory) throws IOException {
    List<String> all = directory.names().stream().sorted(DirectoryListing::compareBytes).toList();
    return IntStream.range(0, all.size())
        .filter(i -> filter.accepts(all.get(i), i, all, directory.path()))
        .mapToObj(all::get)
        .sorted()
        .toList();
  }

  private static int compareBytes(String a, String b) {
    byte[] left = a.getBytes(StandardCharsets.UTF_8);
    return Arrays.compareUnsigned(left, b.getBytes(StandardCharsets.UTF_8));
  }
}
