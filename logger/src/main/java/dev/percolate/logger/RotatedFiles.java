package dev.percolate.logger;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names the files that were rotated, and deletes the oldest of them. */
final class RotatedFiles {

  /** No colon, which not every file system takes. Texts are in the order of the times. */
  static final String STAMP = "yyyy-MM-dd'T'HH-mm-ss.SSS";

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern(STAMP, Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final Pattern SHAPE =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}");
  private static final List<String> ENDINGS = List.of("", ".gz");

  private final Path folder;
  private final String prefix;

  RotatedFiles(Path file) {
    this.folder = Objects.requireNonNull(file.getParent(), "a file has a folder");
    this.prefix = file.getFileName() + ".";
  }

  /** Returns the first time, from another one on, after which no file is named yet. */
  Instant free(Instant from) {
    Instant time = from;
    while (taken(FORMAT.format(time))) {
      time = time.plusMillis(1);
    }
    return time;
  }

  /** Deletes the oldest files, in whatever form, but for so many. */
  void prune(int keep) throws IOException {
    TreeSet<String> stamps = new TreeSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.map(file -> stamp(file.getFileName().toString())).forEach(stamps::add);
    }
    stamps.remove("");
    while (stamps.size() > keep) {
      String oldest = stamps.pollFirst();
      for (String ending : ENDINGS) {
        Files.deleteIfExists(folder.resolve(prefix + oldest + ending));
      }
    }
  }

  private boolean taken(String stamp) {
    return ENDINGS.stream()
        .map(ending -> new File(folder.toFile(), prefix + stamp + ending))
        .anyMatch(File::exists);
  }

  /** Returns the time in the name of a rotated file; the empty text if it is none. */
  private String stamp(String name) {
    if (!name.startsWith(prefix)) {
      return "";
    }
    String stamp = name.substring(prefix.length());
    if (stamp.endsWith(".gz")) {
      stamp = stamp.substring(0, stamp.length() - 3);
    }
    return SHAPE.matcher(stamp).matches() ? stamp : "";
  }
}
