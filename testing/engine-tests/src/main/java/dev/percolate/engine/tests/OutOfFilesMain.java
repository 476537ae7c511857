package dev.percolate.engine.tests;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Engine;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs a server of the only engine, in a process with few file descriptors, until its standard
 * input ends. The argument is the thread mode. {@code /busy} computes for 20 ms, {@code /file}
 * opens a file.
 */
final class OutOfFilesMain {

  private OutOfFilesMain() {}

  public static void main(String[] args) throws Exception {
    Handler handler =
        (req, res) -> {
          long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
          while (req.path().equals("/busy") && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
          }
          if (req.path().equals("/file")) {
            try (Stream<Path> opened = Files.list(Path.of("."))) {
              res.set("X-Files", Long.toString(opened.count()));
            }
          }
          res.send("alive");
        };
    Service service = Chain.service(new Settings(), handler);
    try (Server server = Engine.find().listen(service, ServerContract.options().threads(args[0]))) {
      // Loads the classes for a request while there are file descriptors.
      URL url = server.uri().toURL();
      ((HttpURLConnection) url.openConnection()).getResponseCode();
      System.out.println(server.port());
      int end = System.in.read();
      assert end < 0;
    }
  }
}
