package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that temporary files are deleted with their process or at the next start. */
@DisabledOnOs(OS.WINDOWS) // it ends processes without a signal
final class TemporaryFolderTest {

  @TempDir private Path folder;

  private Process process() throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            classPath(),
            UploadingMain.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** The class path, or the module path with the patched test classes. */
  private static String classPath() throws Exception {
    String classes = System.getProperty("java.class.path");
    String modules = Objects.requireNonNullElse(System.getProperty("jdk.module.path"), "");
    Path tests =
        Path.of(
            Objects.requireNonNull(UploadingMain.class.getResource("UploadingMain.class")).toURI());
    Path root = tests;
    for (int i = 0; i < 4; i++) {
      root = Objects.requireNonNull(root.getParent());
    }
    Path main = Objects.requireNonNull(root.getParent()).resolve("classes");
    return String.join(
        java.io.File.pathSeparator, classes, modules, root.toString(), main.toString());
  }

  private static Path file(Path folder, Process process) throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    return folder.resolve(Objects.requireNonNull(lines.readLine(), "it did not start"));
  }

  private List<Path> left() throws Exception {
    try (Stream<Path> all = Files.list(folder)) {
      return all.toList();
    }
  }

  @Test
  @Timeout(120)
  void aProcessThatIsAskedToEndLeavesNone() throws Exception {
    Process process = process();
    try {
      Path file = file(folder, process);
      assertTrue(Files.exists(file));
      assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      process.toHandle().destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      assertEquals(List.of(), left());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @Timeout(120)
  void filesOfAKilledProcessAreDeletedWhenTheNextStartsAndThoseOfALiveOneStay() throws Exception {
    Process killed = process();
    Process living = process();
    try {
      Path first = file(folder, killed);
      Path second = file(folder, living);
      killed.toHandle().destroyForcibly();
      assertTrue(killed.waitFor(60, TimeUnit.SECONDS));
      String begin = first.getFileName().toString().replaceFirst("-\\d+\\.upload$", "-");
      Path target = Files.writeString(folder.resolve("target"), "of another user");
      Path link = Files.createSymbolicLink(folder.resolve(begin + "1.upload"), target);
      Path own = Files.writeString(folder.resolve("photo.upload"), "of the application");
      Path lockLink = Files.createSymbolicLink(folder.resolve("percolate-1-1-1.lock"), target);
      Multipart.files().directory(folder).checkStart();
      assertFalse(Files.exists(first));
      assertTrue(Files.exists(second));
      assertEquals("of another user", Files.readString(target));
      assertTrue(Files.exists(link, LinkOption.NOFOLLOW_LINKS));
      assertTrue(Files.exists(lockLink, LinkOption.NOFOLLOW_LINKS));
      assertTrue(Files.exists(own));
      Path next = TemporaryFolder.of(folder).create();
      Multipart.files().directory(folder).checkStart();
      assertTrue(Files.exists(next));
    } finally {
      killed.destroyForcibly();
      living.destroyForcibly();
    }
  }
}
