package dev.percolate.conformance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes a trial smaller while the responses still differ. */
final class TrialShrinker {

  private final Differs differs;

  /** Returns true if the responses to a trial differ. */
  @FunctionalInterface
  interface Differs {
    boolean test(Trial trial) throws IOException;
  }

  TrialShrinker(Differs differs) {
    this.differs = differs;
  }

  Trial shrink(Trial trial) throws IOException {
    Trial smallest = trial;
    for (Trial smaller = next(smallest); smaller != null; smaller = next(smallest)) {
      smallest = smaller;
    }
    return smallest;
  }

  private @Nullable Trial next(Trial trial) throws IOException {
    for (Trial candidate : candidates(trial)) {
      if (differs.test(candidate)) {
        return candidate;
      }
    }
    return null;
  }

  private static List<Trial> candidates(Trial trial) {
    List<Trial> candidates = new ArrayList<>();
    if (!trial.cuts().isEmpty()) {
      candidates.add(trial.cuts(List.of()));
    }
    for (String option : trial.options().keySet()) {
      Map<String, @Nullable Object> fewer = new TreeMap<>(trial.options());
      fewer.remove(option);
      candidates.add(trial.options(fewer));
    }
    shorter(trial.body()).forEach(body -> candidates.add(trial.body(body)));
    shorter(trial.url().substring(1)).forEach(url -> candidates.add(trial.url('/' + url)));
    trial
        .headers()
        .forEach(
            (name, value) -> {
              Map<String, String> fewer = new LinkedHashMap<>(trial.headers());
              fewer.remove(name);
              candidates.add(trial.headers(fewer));
              if (!value.equals(Trial.LENGTH)) {
                shorter(value).forEach(less -> candidates.add(trial.header(name, less)));
              }
            });
    return candidates;
  }

  /** Returns copies of a text without one half, one quarter, and so on, down to one character. */
  private static List<String> shorter(String text) {
    List<String> shorter = new ArrayList<>();
    for (int size = (text.length() + 1) / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
      for (int at = 0; at < text.length(); at += size) {
        int end = Math.min(text.length(), at + size);
        shorter.add(text.substring(0, at) + text.substring(end));
      }
    }
    return shorter;
  }
}
