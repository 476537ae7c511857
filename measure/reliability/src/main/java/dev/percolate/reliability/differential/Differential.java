package dev.percolate.reliability.differential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.nio.NioReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares how the {@code nio} engine, Netty's decoder and Jetty's parser read mutated requests.
 * {@code reliability/differential} starts it.
 */
final class Differential {

  /** One of this number of connections is also read by a server, over a real connection. */
  private static final int SAMPLE = 500;

  private static final int MOST_SHOWN = 20;

  private final MutatedRequests requests;
  private final Explanations explanations;
  private final RequestReader nio = new NioReader();
  private final Map<String, RequestReader> others = new LinkedHashMap<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, String> examples = new TreeMap<>();
  private int wrong;
  private long taken;
  private long rejected;

  Differential(Path corpus, Path differences, long seed) throws IOException {
    requests = new MutatedRequests(Corpus.read(corpus), seed);
    explanations = new Explanations(differences);
    others.put("netty", new NettyReader());
    others.put("jetty", new JettyReader());
  }

  /** Arguments: the number of connections, the seed, the corpus, the file of known differences. */
  public static void main(String[] args) throws IOException {
    Differential run =
        new Differential(Path.of(args[2]), Path.of(args[3]), Long.parseLong(args[1]));
    long begin = System.nanoTime();
    boolean passes = run.play(Long.parseLong(args[0]));
    run.print(args.length > 4);
    System.out.printf(
        "%s connections, %,d requests accepted, %,d rejected, %d unexplained differences, %d s: %s%n",
        args[0],
        run.taken,
        run.rejected,
        run.wrong,
        (System.nanoTime() - begin) / 1_000_000_000,
        passes ? "PASS" : "FAIL");
    System.exit(passes ? 0 : 1);
  }

  /** Plays this number of connections; returns true if every difference is explained. */
  boolean play(long count) throws IOException {
    try (NioConnectionReader server = new NioConnectionReader()) {
      for (long i = 0; i < count; i++) {
        byte[] bytes = requests.next();
        Reading ours = nio.read(bytes);
        taken += ours.messages().size();
        rejected += ours.rejected() == null ? 0 : 1;
        compare(bytes, ours);
        if (i % SAMPLE == 0 && !server.agrees(bytes, ours)) {
          wrong("a server reads differently with and without a connection", bytes, ours);
        }
      }
    }
    return wrong == 0 && taken > 0 && rejected > 0;
  }

  private void compare(byte[] bytes, Reading ours) {
    Set<Optional<String>> rejectedByThem = new HashSet<>();
    for (Map.Entry<String, RequestReader> other : others.entrySet()) {
      Reading theirs = other.getValue().read(bytes);
      Difference difference = Difference.between(bytes, ours, theirs);
      rejectedByThem.add(Optional.ofNullable(difference).map(Difference::rejectedByThem));
      if (difference != null) {
        String reader = other.getKey();
        String rule = explanations.rule(reader, difference);
        if (rule == null) {
          wrong(difference.kind() + " than " + reader, bytes, ours, theirs);
        } else {
          String name = difference.kind() + " " + reader + " " + rule;
          counts.merge(name, 1, Integer::sum);
          examples.merge(name, text(bytes), (a, b) -> a.length() <= b.length() ? a : b);
        }
      }
    }
    if (rejectedByThem.size() == 1 && rejectedByThem.iterator().next().isPresent()) {
      wrong("the nio engine accepts what all others reject", bytes, ours);
    }
  }

  private void wrong(String what, byte[] bytes, Reading... readings) {
    wrong++;
    if (wrong <= MOST_SHOWN) {
      System.out.println(what + ": " + text(bytes));
      for (Reading reading : readings) {
        System.out.println("  " + text(reading.messages() + " " + reading.rejected()));
      }
    }
  }

  private void print(boolean withExamples) {
    counts.forEach(
        (name, count) -> {
          System.out.printf("%,10d %s%n", count, name);
          if (withExamples) {
            System.out.println("           " + examples.get(name));
          }
        });
  }

  private static String text(byte[] bytes) {
    return text(new String(bytes, ISO_8859_1));
  }

  private static String text(String latin1) {
    StringBuilder text = new StringBuilder();
    latin1.chars().forEach(c -> text.append(shown((char) c)));
    return text.toString();
  }

  private static String shown(char c) {
    return switch (c) {
      case '\r' -> "\\r";
      case '\n' -> "\\n";
      case '\\' -> "\\\\";
      default -> c >= ' ' && c <= '~' ? String.valueOf(c) : "\\x%02x".formatted((int) c);
    };
  }
}
