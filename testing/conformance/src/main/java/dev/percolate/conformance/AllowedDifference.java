package dev.percolate.conformance;

import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The intended differences. {@code beside-node.md} gives the reason for each. */
enum AllowedDifference {
  DEPTH_BY_DEFAULT {
    @Override
    boolean explains(Trial trial, String theirs, String ours) {
      return !trial.options().containsKey("depth")
          && theirs.contains("\"querystring.parse.rangeError\"")
          && ours.startsWith("{\"body\"");
    }
  },
  INFLATE_OFF {
    @Override
    boolean explains(Trial trial, String theirs, String ours) {
      return theirs.contains("\"content encoding unsupported\"")
          && ours.replaceFirst("\"charset\":\"[^\"]*\",", "").equals(theirs);
    }
  },
  LARGE_AND_BROKEN {
    @Override
    boolean explains(Trial trial, String theirs, String ours) {
      return trial.headers().containsKey("content-encoding")
          && (areBoth(theirs, ours) || areBoth(ours, theirs));
    }

    private boolean areBoth(String broken, String large) {
      return broken.equals("{\"status\":400,\"expose\":true}")
          && large.contains("\"entity.too.large\"");
    }
  },
  PROTO {
    @Override
    boolean explains(Trial trial, String theirs, String ours) {
      return (trial.kind().equals("query") || trial.kind().equals("cookies"))
          && ours.contains("\"__proto__\":");
    }
  },
  GREATEST_INDEX {
    @Override
    boolean explains(Trial trial, String theirs, String ours) {
      return trial.kind().equals("urlencoded") && ours.contains("\"9007199254740993\":");
    }
  },
  TEXT_BEFORE_LAST_INDEX {
    @Override
    boolean explains(Trial trial, String theirs, String ours) {
      long parts = 1 + trial.body().chars().filter(c -> c == '&').count();
      long last = Math.max(100, parts);
      return trial.kind().equals("urlencoded")
          && trial.body().contains(Long.toString(last - 1))
          && theirs.contains("\"" + last + "\":");
    }
  },
  INDEX_AS_NAME {
    @Override
    boolean explains(Trial trial, String theirs, String ours) {
      String text = trial.kind().equals("query") ? trial.url().substring(2) : trial.body();
      return (trial.kind().equals("query") || trial.kind().equals("urlencoded"))
          && Stream.of(text.split("&", -1)).anyMatch(part -> OwnAnswers.isIndex(name(part)));
    }

    private static String name(String part) {
      int equals = part.indexOf('=');
      return equals < 0 ? part : part.substring(0, equals);
    }
  },
  ESCAPED_MESSAGE {
    @Override
    boolean explains(Trial trial, String theirs, String ours) {
      // Both are escaped again as JSON.
      return theirs.contains("\"status\":415,")
          && ours.replace("\\\\\\\"", "\\\"").replace("\\\\\\\\", "\\\\").equals(theirs);
    }
  };

  /** Returns true if this is the reason why the responses differ. */
  abstract boolean explains(Trial trial, String theirs, String ours);

  /** Returns the reason; null if there is none. */
  static @Nullable AllowedDifference find(Trial trial, String theirs, String ours) {
    for (AllowedDifference allowed : values()) {
      if (allowed.explains(trial, theirs, ours)) {
        return allowed;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return name().replace('_', ' ').toLowerCase(Locale.ROOT);
  }
}
