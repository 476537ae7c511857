package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.percolate.http.HttpError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;

/** A path from outside stays below the root, and none of its names leads out of it. */
final class FilePathFuzzTest {

  private static final Path ROOT = Path.of("/srv/www/pub");
  private static final FileOptions BELOW = FileOptions.none().root(ROOT);
  private static final FileOptions PLAIN = BELOW.dotfiles("ignore");
  private static final Set<Integer> STATUSES = Set.of(400, 403, 404);

  @FuzzTest
  void aPathStaysBelowTheRoot(byte[] data) {
    String path = new String(data, StandardCharsets.ISO_8859_1);
    try {
      FilePath found = FilePath.decode(path, BELOW);
      Path file = found.file();
      assertTrue(file.startsWith(ROOT), path);
      assertEquals(file, file.normalize(), path);
      assertEquals(found.named(), !file.equals(ROOT), path);
      assertTrue(file.toString().indexOf('\0') < 0, path);
      assertEquals(file, FilePath.of(ROOT.relativize(file), BELOW.dotfiles("allow")).file(), path);
    } catch (HttpError e) {
      assertTrue(STATUSES.contains(e.status()), path);
    }
    try {
      for (Path name : ROOT.relativize(FilePath.decode(path, PLAIN).file())) {
        assertTrue(!name.toString().startsWith("."), path);
      }
    } catch (HttpError e) {
      assertTrue(STATUSES.contains(e.status()), path);
    }
  }
}
