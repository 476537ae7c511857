package dev.percolate.multipart;

import dev.percolate.engine.Shutdown;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process that holds a temporary file in a directory until it ends. */
final class UploadingMain {

  private UploadingMain() {}

  public static void main(String[] arguments) throws Exception {
    Shutdown.add(Shutdown.Stage.SERVERS, () -> {});
    Path file = TemporaryFolder.of(Path.of(arguments[0])).create();
    Files.writeString(file, "half an upload");
    System.out.println(file.getFileName());
    Thread.sleep(Long.MAX_VALUE);
  }
}
