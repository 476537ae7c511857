package dev.percolate.middleware;

import dev.percolate.core.Directory;
import dev.percolate.core.FileOptions;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.http.Accept;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET and HEAD for directories below a root with the list of their names: as a page, as
 * text or as JSON, by what the client accepts. Files, and what is not there, are passed on, so
 * {@link StaticFiles} of the same root goes well with it.
 *
 * <p>Directories are found by the rules of {@link StaticFiles}. A path that cannot be decoded is
 * the error 400, one that leads out of the root 403. It is its own options; each gives a changed
 * copy:
 *
 * <pre>
 *   hidden       false    whether names that begin with a dot are listed, and found
 *   symlinks     true     whether links that lead out of the root are followed
 *   filter       all      which names are listed
 *   view         tiles    how the page shows them: tiles or details
 *   icons        false    whether the page shows what is a folder and what is a file
 *   stylesheet   own      the style of the page
 *   template     own      the page, with {style}, {files}, {directory} and {linked-path}
 * </pre>
 *
 * <pre>{@code
 * app.use("/pub", StaticFiles.of(pub).index(), DirectoryListing.of(pub).view("details"));
 * }</pre>
 *
 * <p>Each option returns a changed copy.
 */
@CheckReturnValue
public final class DirectoryListing implements Middleware, StartCheck {

  private static final List<String> TYPES = List.of("text/html", "text/plain", "application/json");

  private final FileOptions options;
  private final @Nullable Filter filter;
  private final ListingPage page;

  private DirectoryListing(FileOptions options, @Nullable Filter filter, ListingPage page) {
    this.options = options;
    this.filter = filter;
    this.page = page;
  }

  /** Decides which names are listed. */
  @FunctionalInterface
  public interface Filter {

    /**
     * Decides about one name.
     *
     * @param name the name
     * @param index its position among all
     * @param names all names, in the order of their UTF-8 bytes
     * @param directory the directory
     * @return whether it is listed
     */
    boolean keeps(String name, int index, List<String> names, Path directory);
  }

  /**
   * Lists the directories below a root, and the root.
   *
   * @param root the directory, which must exist when the application listens; while it does not,
   *     everything is passed on
   * @return the middleware
   * @throws IllegalArgumentException if the path is empty
   */
  public static DirectoryListing of(Path root) {
    if (root.toString().isEmpty()) {
      throw new IllegalArgumentException("DirectoryListing.of(\"\"): the path is empty");
    }
    return new DirectoryListing(FileOptions.none().root(root), null, ListingPage.standard());
  }

  /**
   * Chooses whether names that begin with a dot are listed, and directories below such names found.
   *
   * @param hidden true to list them
   */
  public DirectoryListing hidden(boolean hidden) {
    return new DirectoryListing(options.hidden(hidden), filter, page);
  }

  /**
   * Chooses whether directories are listed, and names shown, where symbolic links lead out of the
   * root; see {@link FileOptions#symlinks}.
   *
   * @param follow true by default; if false, such links are not there
   */
  public DirectoryListing symlinks(boolean follow) {
    return new DirectoryListing(options.symlinks(follow), filter, page);
  }

  /**
   * Chooses which names are listed.
   *
   * @param filter is asked for each name, but for hidden ones only where these are listed
   */
  public DirectoryListing filter(Filter filter) {
    return new DirectoryListing(options, filter, page);
  }

  /**
   * Chooses how the page shows the names.
   *
   * @param view {@code tiles} or {@code details}
   * @throws IllegalArgumentException if it is another text
   */
  public DirectoryListing view(String view) {
    if (!List.of("tiles", "details").contains(view)) {
      throw Options.wrong("view", view, "tiles or details");
    }
    return new DirectoryListing(options, filter, page.view(view));
  }

  /**
   * Chooses whether the page shows what is a folder and what is a file.
   *
   * @param icons true to show it
   */
  public DirectoryListing icons(boolean icons) {
    return new DirectoryListing(options, filter, page.icons(icons));
  }

  /**
   * Chooses the style of the page.
   *
   * @param css a style sheet, put into the page as it is
   */
  public DirectoryListing stylesheet(String css) {
    return new DirectoryListing(options, filter, page.style(css));
  }

  /**
   * Chooses the page.
   *
   * @param html a page in which {@code {style}}, {@code {files}}, {@code {directory}} and {@code
   *     {linked-path}} are replaced by the style sheet, the list, the path, and the path as links
   */
  public DirectoryListing template(String html) {
    return new DirectoryListing(options, filter, page.template(html));
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
    String type = Accept.best(req.get("Accept"), TYPES);
    if (type == null) {
      throw new HttpError(406);
    }
    String body =
        switch (type) {
          case "application/json" ->
              req.settings().jsonCodec().write(names, JsonCodec.Style.COMPACT);
          case "text/plain" -> String.join("\n", names) + "\n";
          default -> page.of(req.originalPath(), directory, names);
        };
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    res.set("Content-Type", type + "; charset=utf-8")
        .set("Content-Length", Integer.toString(bytes.length))
        .end(bytes);
  }

  private List<String> names(Directory directory) throws IOException {
    List<String> all = new ArrayList<>(directory.names());
    all.sort(DirectoryListing::compareBytes);
    List<String> kept = new ArrayList<>();
    List<String> shown = List.copyOf(all);
    for (int i = 0; i < all.size(); i++) {
      if (filter == null || filter.keeps(all.get(i), i, shown, directory.path())) {
        kept.add(all.get(i));
      }
    }
    kept.sort(null);
    return kept;
  }

  private static int compareBytes(String a, String b) {
    byte[] left = a.getBytes(StandardCharsets.UTF_8);
    return Arrays.compareUnsigned(left, b.getBytes(StandardCharsets.UTF_8));
  }
}
