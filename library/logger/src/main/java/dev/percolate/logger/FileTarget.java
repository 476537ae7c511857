package dev.percolate.logger;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends lines to a file. Opens a new file if it was renamed, deleted or replaced. */
final class FileTarget implements LogTarget {

  private final Path file;
  private @Nullable OpenFile<OutputStream> open;

  FileTarget(Path file) throws IOException {
    this.file = file;
    this.open = open();
  }

  static FileTarget open(Path file) {
    try {
      return new FileTarget(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to the log file \"" + file + "\"", e);
    }
  }

  @Override
  public void write(List<? extends CharSequence> lines) throws IOException {
    OpenFile<OutputStream> now = open;
    if (now != null && now.replaced()) {
      release();
      now = null;
    }
    if (now == null) {
      now = open();
      open = now;
    }
    now.stream().write(LogTarget.bytes(lines));
  }

  @Override
  public void release() throws IOException {
    OpenFile<OutputStream> old = open;
    if (old != null) {
      open = null;
      old.stream().close();
    }
  }

  /** Opens the file without a channel, since an interrupted thread would close a channel. */
  private OpenFile<OutputStream> open() throws IOException {
    return OpenFile.of(file, () -> new FileOutputStream(file.toFile(), true));
  }
}
