package dev.percolate.inspector.reload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The files of an application at one moment: sources, compiled classes and resources.
 *
 * <p>Files are compared by size, time of change and file key. The clock of a file system is coarse,
 * so a second edit can leave all three unchanged. The content of files that were changed within the
 * last two seconds is therefore compared as well.
 */
final class SourceTree {

  /** A tree without files. */
  static final SourceTree EMPTY = new SourceTree();

  /** The coarsest clock of a common file system has steps of two seconds. */
  private static final long COARSE_MILLIS = 2_000;

  /** The content of longer files is not compared. */
  private static final int LONGEST = 4 << 20;

  /** How deep the folder of a program in one file is searched; it may be a home folder. */
  private static final int DEPTH_OF_ONE_FILE = 4;

  /** Folders of the working folder that contain no sources. */
  private static final Set<String> OUTPUTS = Set.of("target", "build", "out", "node_modules");

  /** The extensions of files that an application consists of, or reads when it starts. */
  private static final Set<String> CODE =
      Set.of("java", "kt", "class", "properties", "yaml", "yml", "toml", "conf", "xml");

  private final Map<Path, Stamp> files = new TreeMap<>();

  /** Files that were changed recently. */
  private final Set<Path> fresh = new HashSet<>();

  /** The difference between two trees. */
  enum Change {
    NONE,
    /** Only files that the application reads while it runs have changed. */
    LIVE,
    /** Files have changed that require a restart. */
    CODE
  }

  /**
   * The state of a file.
   *
   * @param content the hash of the content if it was read, else 0
   */
  private record Stamp(long size, FileTime time, @Nullable Object key, int content) {}

  private SourceTree() {}

  /**
   * Reads the state of all files.
   *
   * @param before the tree that was read before
   * @param now the current time in milliseconds, as of {@link System#currentTimeMillis}
   */
  static SourceTree read(Project project, SourceTree before, long now) {
    SourceTree tree = new SourceTree();
    int depth = project.isOneFile() ? DEPTH_OF_ONE_FILE : Integer.MAX_VALUE;
    for (Path root : project.folders()) {
      try {
        Files.walkFileTree(
            root,
            Set.of(FileVisitOption.FOLLOW_LINKS),
            depth,
            tree.new Reader(root, project, before, now));
      } catch (IOException e) {
        throw new UncheckedIOException(e); // never: the reader skips what it cannot read
      }
    }
    return tree;
  }

  /** Adds the files of one folder. */
  private final class Reader extends SimpleFileVisitor<Path> {

    private final Path root;
    private final Path workingFolder;
    private final SourceTree before;
    private final boolean all;
    private final long now;

    Reader(Path root, Project project, SourceTree before, long now) {
      this.root = root;
      this.workingFolder = project.folder();
      this.before = before;
      this.now = now;
      // The folder of a program in one file may contain files that the program writes.
      this.all = !project.isOneFile() || !project.sources().contains(root);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      String name = name(folder);
      boolean output = OUTPUTS.contains(name) && workingFolder.equals(folder.getParent());
      return (output || name.startsWith(".")) && !folder.equals(root)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      String name = name(file);
      boolean temporary = name.startsWith(".") || name.endsWith("~"); // of editors
      if (!temporary && (all || CODE.contains(extension(file)))) {
        add(file, attributes);
      }
      return FileVisitResult.CONTINUE;
    }

    private void add(Path file, BasicFileAttributes attributes) {
      FileTime time = attributes.lastModifiedTime();
      Stamp known = before.files.get(file);
      int content = known == null ? 0 : known.content;
      boolean recent = now - time.toMillis() < COARSE_MILLIS;
      if (recent) {
        fresh.add(file);
      }
      if ((recent || before.fresh.contains(file)) && attributes.size() <= LONGEST) {
        content = hash(file);
      }
      files.put(file, new Stamp(attributes.size(), time, attributes.fileKey(), content));
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      return FileVisitResult.CONTINUE; // deleted meanwhile, or not readable
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) {
      return FileVisitResult.CONTINUE;
    }
  }

  private static int hash(Path file) {
    try {
      return Arrays.hashCode(Files.readAllBytes(file));
    } catch (IOException e) {
      return -1; // deleted meanwhile
    }
  }

  /**
   * Returns the difference to an earlier tree.
   *
   * @param ignored returns true for files that do not count
   */
  Change since(SourceTree before, Predicate<Path> ignored) {
    if (files.equals(before.files)) {
      return Change.NONE;
    }
    Set<Path> changed = new HashSet<>(files.keySet());
    changed.addAll(before.files.keySet());
    changed.removeIf(file -> Objects.equals(files.get(file), before.files.get(file)));
    changed.removeIf(ignored);
    if (changed.isEmpty()) {
      return Change.NONE;
    }
    return changed.stream().anyMatch(file -> CODE.contains(extension(file)))
        ? Change.CODE
        : Change.LIVE;
  }

  /** Returns all files, in order. */
  Set<Path> files() {
    return files.keySet();
  }

  /** Returns the files with an extension, in order. */
  List<Path> files(String extension) {
    return files.keySet().stream().filter(file -> extension(file).equals(extension)).toList();
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static String extension(Path file) {
    String name = name(file);
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
