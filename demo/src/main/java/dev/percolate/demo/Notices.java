package dev.percolate.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Keeps the notices of this process, the newest hundred of them. */
final class Notices {

  private static final int KEPT = 100;

  private final List<Notice> notices = new CopyOnWriteArrayList<>();
  private final AtomicInteger lastId = new AtomicInteger();

  List<Notice> all() {
    return notices;
  }

  @Nullable Notice find(int id) {
    return notices.stream().filter(notice -> notice.id() == id).findFirst().orElse(null);
  }

  synchronized Notice add(String name, String text) {
    Notice notice = new Notice(lastId.incrementAndGet(), name, text);
    notices.add(notice);
    if (notices.size() > KEPT) {
      notices.remove(0);
    }
    return notice;
  }

  /** Gives a text without the blanks around it, or null if it is none, empty or too long. */
  static @Nullable String checked(@Nullable Object text, int longest) {
    if (!(text instanceof String given)) {
      return null;
    }
    String stripped = given.strip();
    return stripped.isEmpty() || stripped.length() > longest ? null : stripped;
  }
}
