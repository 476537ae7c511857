package dev.percolate.http2;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the cases of the method {@code all} on one server, each on its own connection. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RowsTest {

  final TestServer server;

  RowsTest() {
    try {
      server = TestServer.start();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterAll
  final void close() {
    server.close();
  }

  @ParameterizedTest
  @MethodSource("all")
  final void section(Row row) throws IOException {
    try (FrameClient client = FrameClient.open(server.port())) {
      row.act().run(client);
      row.check().run(client);
    }
  }
}
