package dev.percolate.benchmarks;

import dev.percolate.http.Form;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Compares the cost of bodies with the minimal work, by CPU time in alternating rounds: wall-clock
 * times are useless on shared machines. Started by {@code benchmarks/bodies}.
 */
final class BodyRatios {

  private BodyRatios() {}

  /**
   * Measures and prints a line for each comparison: its name, the size, the microseconds of both,
   * the ratio, and the bytes of both if known, separated by tabs.
   *
   * @param args the script for Node and the package file of its libraries; empty without Node; only
   *     {@code described} for described routes and validation, which must have their own process
   */
  public static void main(String[] args) throws Exception {
    if (args.length == 1) {
      DescribedBench routes = new DescribedBench();
      routes.make();
      print("described route beside one by hand", 1, routes::described, routes::byHand);
      ValidationBench records = new ValidationBench();
      records.make();
      print("validated record beside one by hand", 1, records::validated, records::byHand);
      return;
    }
    for (int kilobytes : new int[] {1, 100}) {
      BodyBench bench = new BodyBench();
      bench.kilobytes = kilobytes;
      bench.make();
      print("JSON codec beside Jackson", kilobytes, bench::jsonByTheCodec, bench::jsonByTheLibrary);
      // A request without a body has a cost, too. It counts on both sides.
      print(
          "JSON parser beside Jackson",
          kilobytes,
          bench::jsonByTheParser,
          bench::libraryAndRequest);
      print(
          "JSON parser to records beside Jackson",
          kilobytes,
          bench::recordsByTheParser,
          bench::libraryRecordsAndRequest);
      print("raw beside a copy", kilobytes, bench::rawByTheParser, bench::bytesAndRequest);
      print("text beside a copy", kilobytes, bench::textByTheParser, bench::textAndRequest);
    }
    jsonBesideJackson();
    if (args.length > 1) {
      besideNode(args[0], args[1]);
    }
  }

  private static void jsonBesideJackson() throws Exception {
    for (int kilobytes : new int[] {1, 20}) {
      JsonBench bench = new JsonBench();
      bench.kilobytes = kilobytes;
      bench.make();
      print("JSON to maps", kilobytes, bench::mapReadByTheCodec, bench::mapReadByTheLibrary);
      print(
          "JSON to records",
          kilobytes,
          bench::recordsReadByTheCodec,
          bench::recordsReadByTheLibrary);
      print("maps to JSON", kilobytes, bench::mapWrittenByTheCodec, bench::mapWrittenByTheLibrary);
      print(
          "records to JSON",
          kilobytes,
          bench::recordsWrittenByTheCodec,
          bench::recordsWrittenByTheLibrary);
    }
  }

  private static void besideNode(String script, String libraries) throws Exception {
    Map<String, Form> grammars = new LinkedHashMap<>();
    grammars.put("extended", Form.extended().parameterLimit(100_000));
    grammars.put("simple", Form.simple().parameterLimit(100_000));
    for (Map.Entry<String, Form> grammar : grammars.entrySet()) {
      for (int kilobytes : new int[] {1, 10, 100}) {
        String form = Bodies.form(kilobytes << 10);
        try (QsOnNode qs = new QsOnNode(script, libraries, grammar.getKey(), form)) {
          Form ours = grammar.getValue();
          AlternatingRounds.Work work = () -> ours.parse(form, StandardCharsets.UTF_8);
          print(
              grammar.getKey() + " form beside qs",
              kilobytes,
              AlternatingRounds.besideProcess(work, qs::micros),
              "");
        }
      }
    }
  }

  private static void print(
      String what, int kilobytes, AlternatingRounds.Work ours, AlternatingRounds.Work beside)
      throws Exception {
    AlternatingRounds turns = AlternatingRounds.of(ours, beside);
    print(
        what,
        kilobytes,
        turns,
        "\t" + AlternatingRounds.bytes(ours) + "\t" + AlternatingRounds.bytes(beside));
  }

  private static void print(String what, int kilobytes, AlternatingRounds turns, String bytes) {
    System.out.printf(
        Locale.ROOT,
        "%s\t%d KB\t%.3f\t%.3f\t%.4f%s%n",
        what,
        kilobytes,
        turns.ours(),
        turns.beside(),
        turns.ratio(),
        bytes);
  }
}
