package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.percolate.demo.FaultyBook.Fault;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Seeds one fault at a time into a copy of the guest book. Each must be reported with the file and
 * line of its code. {@code docs/faults.md} lists them; {@code -Dfaults.update=true} writes it.
 */
@Timeout(120)
final class SeededFaultsTest {

  private static final Path PAGE = Path.of("../../docs/faults.md");
  private static final Pattern PLACE = Pattern.compile("(\\w+\\.java):(\\d+)");
  private static final String BLANK = "| --- | --- | --- | --- |\n";

  /** The number of lines of a call, at most. */
  private static final int LONGEST_CALL = 4;

  private final Logger logger = Logger.getLogger("dev.percolate");
  private final @Nullable Filter usual = logger.getFilter();
  private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
  private final MemoryEngine engine = new MemoryEngine();
  private final FaultyBook book = new FaultyBook();

  SeededFaultsTest() throws SQLException {}

  @BeforeEach
  void listen() {
    logger.setFilter(
        line -> {
          logged.add(line);
          return false;
        });
  }

  @AfterEach
  void close() {
    book.close();
    engine.close();
    logger.setFilter(usual);
  }

  @Test
  void theBookItselfHasNoFaults() {
    App app = book.app(null);
    assertEquals(List.of(), app.lint());
    app.checkStart();
    assertEquals(200, Call.get("/").to(app).status());
    assertEquals(List.of(), logged);
  }

  @TestFactory
  Stream<DynamicTest> eachFaultIsReportedWithItsLine() throws IOException {
    List<String> rows = Files.readAllLines(PAGE);
    return book.faults().stream()
        .map(
            fault ->
                dynamicTest(
                    fault.name(),
                    () -> {
                      String row = row(fault);
                      assertTrue(rows.contains(row), row);
                    }));
  }

  @Test
  void thePageListsAtLeastTwentyFaults() throws Exception {
    if (Boolean.getBoolean("faults.update")) {
      String page = Files.readString(PAGE);
      StringBuilder updated = new StringBuilder(page.substring(0, page.indexOf(BLANK)));
      updated.append(BLANK);
      for (Fault fault : book.faults()) {
        updated.append(row(fault)).append('\n');
      }
      Files.writeString(PAGE, updated);
    }
    long rows = Files.readString(PAGE).lines().filter(line -> line.startsWith("| a")).count();
    assertEquals(book.faults().size(), rows);
    assertTrue(rows >= 20, () -> rows + " rows");
  }

  private String row(Fault fault) throws Exception {
    logged.clear();
    String said =
        shown(fault, reports(fault))
            .replace(Path.of("").toAbsolutePath().toString(), "/srv/book")
            .replaceAll("FaultyBook\\.lambda\\S+ \\(", "GuestBook.app (")
            .replace("FaultyBook.java", "GuestBook.java")
            .replaceAll("\\.java:\\d+", ".java:40")
            .replaceAll("layer \\d+", "layer 7")
            .replace("; its next is unreachable", "")
            .replaceFirst("; the second call is ignored: .*", "; the second call is ignored");
    return "| %s | `%s` | %s | `%s` |"
        .formatted(fault.name(), fault.code(), fault.report().text, said);
  }

  /** Returns the first report that names a line with the code of the fault. */
  private static String shown(Fault fault, List<String> reports) throws IOException {
    for (String report : reports) {
      if (shows(fault.code(), report)) {
        return report;
      }
    }
    throw new AssertionError(fault.name() + " is not among " + reports);
  }

  private static boolean shows(String code, String report) throws IOException {
    Matcher place = PLACE.matcher(report);
    while (place.find()) {
      Path source = source(place.group(1));
      List<String> lines = Files.exists(source) ? Files.readAllLines(source) : List.of();
      int start = Integer.parseInt(place.group(2)) - 1;
      List<String> call = lines.stream().skip(start).limit(LONGEST_CALL).toList();
      if (bare(String.join("", call)).contains(bare(code))) {
        return true;
      }
    }
    return false;
  }

  private static Path source(String file) {
    Path test = Path.of("src/test/java/dev/percolate/demo", file);
    return Files.exists(test) ? test : Path.of("src/main/java/dev/percolate/demo", file);
  }

  private static String bare(String code) {
    return code.replaceAll("\\s", "");
  }

  private List<String> reports(Fault fault) throws Exception {
    return switch (fault.report()) {
      case DEFINITION ->
          List.of(withPlace(assertThrows(IllegalArgumentException.class, () -> book.app(fault))));
      case START -> {
        App app = book.app(fault);
        Exception error = assertThrows(IllegalStateException.class, () -> app.checkStart());
        yield List.of(String.valueOf(error.getMessage()));
      }
      case LINT -> book.app(fault).lint();
      case HANG -> notices(fault);
      case LOG -> {
        call(fault.target()).to(book.app(fault));
        yield logged.stream().map(SeededFaultsTest::text).toList();
      }
      case EXPLANATION -> {
        String[] target = fault.target().split(" ", 2);
        yield book.app(fault).explain(target[0], target[1]).toString().lines().toList();
      }
    };
  }

  private List<String> notices(Fault fault) throws Exception {
    try (Client client = engine.client(book.app(fault))) {
      call(fault.target()).open(client);
      while (logged.isEmpty()) {
        Thread.sleep(5);
      }
    }
    return logged.stream().map(LogRecord::getMessage).toList();
  }

  private static Call call(String target) {
    String[] parts = target.split(" ", 2);
    Call call = Call.of(parts[0], parts[1]);
    return parts[0].equals("POST") ? call.header("Content-Type", OpenBook.FORM).body("a=b") : call;
  }

  private static String text(LogRecord line) {
    Throwable error = line.getThrown();
    return error == null || !line.getLevel().equals(Level.SEVERE)
        ? line.getMessage()
        : withPlace(error);
  }

  /** Returns the message of an exception, and the line of the application that threw it. */
  private static String withPlace(Throwable error) {
    String place =
        Stream.of(error.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith("dev.percolate.demo."))
            .findFirst()
            .map(frame -> " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
            .orElse("");
    return error.getMessage() + place;
  }
}
