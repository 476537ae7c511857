package dev.percolate.logger;

import dev.percolate.http.Headers;
import java.util.Random;

/**
 * A request as a server receives it.
 *
 * @param address the address of the client
 * @param method the method in upper case
 * @param target the target with its query
 * @param headers the headers of a browser
 */
record Sample(String address, String method, String target, Headers headers) {

  private static final String[] AGENTS = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)"
        + " Chrome/137.0.0.0 Safari/537.36",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "curl/8.14.1",
  };

  private static final String[] METHODS = {"GET", "GET", "GET", "POST"};

  /** Returns the same requests for each call. */
  static Sample[] all(int count) {
    Random random = new Random(1);
    Sample[] all = new Sample[count];
    for (int i = 0; i < count; i++) {
      all[i] = next(random);
    }
    return all;
  }

  /** Returns the value of a header; a hyphen if it is absent. */
  String header(String name) {
    String value = headers.get(name);
    return value == null ? "-" : value;
  }

  String user() {
    return headers.contains("Authorization") ? "ana" : "-";
  }

  private static Sample next(Random random) {
    Headers headers =
        new Headers()
            .addReceived("Host", "shop.example.com")
            .addReceived("User-Agent", AGENTS[random.nextInt(AGENTS.length)])
            .addReceived("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
            .addReceived("Accept-Encoding", "gzip, deflate, br")
            .addReceived("Accept-Language", "en-GB,en;q=0.5");
    if (random.nextInt(3) > 0) {
      headers.addReceived("Referer", "https://shop.example.com/items/" + random.nextInt(100_000));
    }
    if (random.nextInt(10) == 0) {
      headers.addReceived("Authorization", "Basic YW5hOnNlY3JldA==");
    }
    return new Sample(
        "203.0.113." + random.nextInt(256),
        METHODS[random.nextInt(METHODS.length)],
        "/items/" + random.nextInt(100_000) + "?page=" + random.nextInt(50) + "&sort=price",
        headers);
  }
}
