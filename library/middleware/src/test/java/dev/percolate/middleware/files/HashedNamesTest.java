package dev.percolate.middleware.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HashedNamesTest {

  @TempDir private Path folder;

  @Test
  void theNumberOfKeptHashesIsLimited() throws Exception {
    HashedNames names = new HashedNames(HashedNames.below(folder), 3);
    for (int i = 0; i < 10; i++) {
      Files.writeString(folder.resolve(i + ".css"), "p {}");
      String path = names.hashed("/" + i + ".css");
      assertTrue(names.isKnown(path));
      assertTrue(names.size() <= 3, "kept " + names.size());
    }
  }

  @Test
  void aHashIsKnownUntilTheFileChanges() throws Exception {
    HashedNames names = HashedNames.of(folder);
    Files.writeString(folder.resolve("app.css"), "p {}");
    String path = HashedNames.of(folder).hashed("/app.css");
    assertFalse(names.isKnown(path));
    assertTrue(names.isCurrent(path));
    assertTrue(names.isKnown(path));
    assertFalse(names.isKnown("/app.0123456789.css"));
    Files.writeString(folder.resolve("app.css"), "p { color: red }");
    assertFalse(names.isKnown(path));
    Files.delete(folder.resolve("app.css"));
    assertFalse(names.isKnown(path));
  }

  @Test
  void otherSpellingsOfAPathAddNothing() throws Exception {
    HashedNames names = HashedNames.of(folder);
    Files.writeString(folder.resolve("app.css"), "p {}");
    String hash = names.hashed("/app.css").substring(1);
    for (String start : new String[] {"//", "/./", "/././", "/x/../", "///"}) {
      assertFalse(names.isCurrent(start + hash));
      assertFalse(names.isKnown(start + hash));
    }
    assertEquals(1, names.size());
  }

  @Test
  void noFileOutsideOfTheRootIsFound() throws Exception {
    HashedNames.Source files = HashedNames.below(folder.resolve("pub"));
    assertNull(files.find("/" + folder.resolve("app.css").toAbsolutePath()));
    assertNull(files.find("/../app.css"));
  }
}
