package dev.percolate.core;

import dev.percolate.http.Accept;
import dev.percolate.http.HttpError;
import dev.percolate.http.MimeTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers in the format that the client likes best. */
final class Formats {

  private static final String DEFAULT = "default";

  private Formats() {}

  static void answer(Response res, Map<String, ? extends Handler> offers) throws Exception {
    List<String> names = new ArrayList<>(offers.keySet());
    names.remove(DEFAULT);
    String best = choose(res, names);
    Handler handler = offers.get(best == null ? DEFAULT : best);
    if (handler == null) {
      List<String> types = names.stream().map(Formats::type).toList();
      throw new HttpError(406).with("types", types);
    }
    handler.handle(res.req(), res);
  }

  /** Sets type and Vary by what the client likes best; gives that offer, or null. */
  static @Nullable String choose(Response res, List<String> offers) {
    String best = Accept.best(res.req().get("Accept"), offers);
    res.vary("Accept");
    if (best != null) {
      String type = type(best);
      res.set("Content-Type", type.startsWith("text/") ? type + "; charset=UTF-8" : type);
    }
    return best;
  }

  private static String type(String offer) {
    if (offer.indexOf('/') < 0) {
      return MimeTypes.ofPath(offer);
    }
    int semicolon = offer.indexOf(';');
    return semicolon < 0 ? offer : offer.substring(0, semicolon).stripTrailing();
  }
}
