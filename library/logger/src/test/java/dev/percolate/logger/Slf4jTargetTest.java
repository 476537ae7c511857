package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

@Timeout(60)
class Slf4jTargetTest {

  private final List<String> calls = new ArrayList<>();

  private Logger logger() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, args) -> {
              calls.add(method.getName() + Arrays.toString(args));
              return null;
            });
  }

  @Test
  void eachLineIsAMessageWithoutItsLineFeedAndWithoutArguments() {
    Slf4jTarget target = new Slf4jTarget(logger());
    target.write(List.of("one\n", "{} %s ${x}\n", "\n", "bare", ""));
    assertEquals(List.of("info[one]", "info[{} %s ${x}]", "info[]", "info[bare]", "info[]"), calls);
  }

  @Test
  void gatheredLinesAreSeparateMessages() throws Exception {
    new Slf4jTarget(logger()).joining().write(List.of("one\n", "two\n"));
    assertEquals(List.of("info[one]", "info[two]"), calls);
  }

  @Test
  void theSameLoggerHasTheSameSink() {
    LogSink sink = LogSink.slf4j("access");
    assertSame(sink, LogSink.slf4j("access"));
    sink.write("to whoever listens\n");
    sink.close();
    assertEquals(0, sink.lostLines());
  }

  @Test
  void withoutSlf4jTheErrorNamesIt(@TempDir Path folder) throws Exception {
    ChildProcess without =
        ChildProcess.run(folder, jar -> !jar.startsWith("slf4j"), Slf4jMain.class);
    assertEquals(
        "slf4j(\"access\") needs org.slf4j:slf4j-api. Modules must require org.slf4j.\n",
        without.out().replace("\r", ""));
    ChildProcess with = ChildProcess.run(folder, jar -> true, Slf4jMain.class);
    assertEquals("lost 0\n", with.out().replace("\r", ""));
  }
}
