package dev.percolate.inspector.reload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;

/** Hides classes that another tool has compiled from the sources, which may be deleted now. */
final class WithoutCopies extends ForwardingJavaFileManager<StandardJavaFileManager> {

  private final String out;
  private final Predicate<String> managed;

  /**
   * Creates the view of a file manager.
   *
   * @param out the folder of the new classes
   * @param managed returns true for classes that have, or had, a source
   */
  WithoutCopies(StandardJavaFileManager files, Path out, Predicate<String> managed) {
    super(files);
    this.out = out.toUri().toString();
    this.managed = managed;
  }

  @Override
  public Iterable<JavaFileObject> list(
      Location location, String name, Set<JavaFileObject.Kind> kinds, boolean recurse)
      throws IOException {
    Iterable<JavaFileObject> all = super.list(location, name, kinds, recurse);
    if (location != StandardLocation.CLASS_PATH) {
      return all;
    }
    List<JavaFileObject> visible = new ArrayList<>();
    for (JavaFileObject file : all) {
      if (!isCopy(location, file)) {
        visible.add(file);
      }
    }
    return visible;
  }

  private boolean isCopy(Location location, JavaFileObject file) {
    return file.getKind() == JavaFileObject.Kind.CLASS
        && managed.test(String.valueOf(inferBinaryName(location, file)))
        && !file.toUri().toString().startsWith(out);
  }
}
