package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads forms as real clients sent them. {@code multipart/senders/record} records them; {@code
 * versions.txt} has the versions.
 */
final class RecordedSendersTest {

  private static final Path RECORDED =
      Path.of("src/test/resources/dev/percolate/multipart/senders");

  private static final String LONG_NAME =
      "a name of a file that is so long that its header is folded.bin";

  /** The expected values of senders whose name or type of the file differs from the others. */
  private static final Map<String, String> OTHERS =
      Map.of(
          // It percent-encodes names; these cannot be distinguished from names with percent signs.
          "python-aiohttp", SentForms.read("Gr%C3%BC%C3%9Fe.bin", SentForms.TYPE),
          "python-aiohttp-charset", SentForms.read("Gr%C3%BC%C3%9Fe.bin", SentForms.TYPE),
          "python-email-long-name", SentForms.read(LONG_NAME, SentForms.TYPE),
          "node-form-data-buffer", SentForms.read("file", SentForms.TYPE));

  private static SentForms server;

  @BeforeAll
  static void listen() throws IOException {
    server = new SentForms(Multipart.files());
  }

  @AfterAll
  static void close() {
    server.close();
  }

  static List<String> recordings() throws IOException {
    try (Stream<Path> files = Files.list(RECORDED)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".http"))
          .map(name -> name.substring(0, name.length() - ".http".length()))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void recordedFormsAreReadAsIntended(String name) throws IOException {
    byte[] request = Files.readAllBytes(RECORDED.resolve(name + ".http"));
    String meant = OTHERS.getOrDefault(name, SentForms.read(SentForms.FILE, SentForms.TYPE));
    assertEquals(meant, server.play(request));
  }

  @Test
  void eachRecordingHasTheVersionOfItsSender() throws IOException {
    List<String> versions = Files.readAllLines(RECORDED.resolve("versions.txt"));
    assertEquals(
        recordings(), versions.stream().map(line -> line.split(" ", 2)[0]).sorted().toList());
    assertTrue(versions.size() > 10);
  }
}
