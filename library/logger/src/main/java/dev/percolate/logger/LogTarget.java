package dev.percolate.logger;

import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Writes lines, each with its line feed. Calls do not overlap. */
@FunctionalInterface
interface LogTarget {

  /**
   * Writes lines in one call and flushes.
   *
   * @throws IOException if they could not be written
   */
  void write(List<? extends CharSequence> lines) throws IOException;

  /** Releases open files. A later write opens them again. */
  default void release() throws IOException {}

  /** Waits briefly for background work. May be called from any thread. */
  default void settle() {}

  /** Returns a target that joins all lines of a call into one. */
  default LogTarget joining() {
    return lines -> write(List.of(joined(lines)));
  }

  static LogTarget stream(Supplier<OutputStream> stream) {
    return lines -> {
      OutputStream out = stream.get();
      boolean failed = hasFailed(out);
      out.write(bytes(lines));
      out.flush();
      if (!failed && hasFailed(out)) {
        throw new IOException("the print stream has failed, and cannot report later failures");
      }
    };
  }

  /** Returns true if a print stream has ever failed. It never throws, as other streams do. */
  private static boolean hasFailed(OutputStream stream) {
    return stream instanceof PrintStream print && print.checkError();
  }

  static LogTarget text(Appendable text) {
    return lines -> {
      text.append(joined(lines));
      if (text instanceof Flushable buffered) {
        buffered.flush();
      }
    };
  }

  static LogTarget calls(Consumer<? super String> consumer) {
    return lines -> lines.forEach(line -> consumer.accept(line.toString()));
  }

  static byte[] bytes(List<? extends CharSequence> lines) {
    return joined(lines).toString().getBytes(StandardCharsets.UTF_8);
  }

  private static StringBuilder joined(List<? extends CharSequence> lines) {
    int length = 0;
    for (CharSequence line : lines) {
      length += line.length();
    }
    StringBuilder all = new StringBuilder(length);
    for (CharSequence line : lines) {
      all.append(line);
    }
    return all;
  }
}
