package dev.percolate.logger;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends lines to a file. */
final class FileTarget implements Target {

  private final Path file;
  private @Nullable OutputStream open;

  FileTarget(Path file) throws IOException {
    this.file = file;
    this.open = append(file);
  }

  @Override
  public void write(List<String> lines) throws IOException {
    OutputStream out = open;
    if (out == null) {
      out = append(file);
      open = out;
    }
    out.write(Target.bytes(lines));
  }

  @Override
  public void release() throws IOException {
    OutputStream out = open;
    if (out != null) {
      open = null;
      out.close();
    }
  }

  /** Opens without a channel, which would be closed by the interrupt of a request's thread. */
  private static OutputStream append(Path file) throws IOException {
    return new FileOutputStream(file.toFile(), true);
  }
}
