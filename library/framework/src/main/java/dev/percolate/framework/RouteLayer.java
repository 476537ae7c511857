package dev.percolate.framework;

import dev.percolate.core.Middleware;
import dev.percolate.framework.path.CompiledPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A route as a layer, for one verb or for all.
 *
 * @param others the record for methods that no table of routes lists; null in a route for one verb
 * @param verbs the bits of the verbs that this route handles
 */
record RouteLayer(
    CompiledPath path,
    List<Middleware> steps,
    List<Route> records,
    @Nullable Route others,
    long verbs)
    implements Layer {

  private static RouteLayer of(
      CompiledPath path, List<Middleware> steps, List<Route> records, @Nullable Route others) {
    long verbs =
        records.stream()
            .mapToLong(one -> RequestMethod.bit(one.method()))
            .reduce(others == null ? 0 : RequestMethod.OTHER, (a, b) -> a | b);
    return new RouteLayer(path, steps, records, others, verbs);
  }

  static RouteLayer of(String verb, PathPattern pattern, List<Middleware> steps, String origin) {
    boolean everyVerb = verb.equals(RequestMethod.EVERY);
    List<String> verbs = everyVerb ? RequestMethod.ALL : List.of(verb);
    List<Route> records =
        verbs.stream().map(one -> new Route(one, pattern, steps, origin)).toList();
    Route others = everyVerb ? new Route(RequestMethod.EVERY, pattern, steps, origin) : null;
    return of(pattern.compiled(), steps, records, others);
  }

  /** Returns the record that handles a method; for HEAD that of HEAD, else that of GET. */
  @Nullable Route record(RequestMethod method) {
    if ((verbs & method.answering()) == 0) {
      return null;
    }
    if (method.answering() == RequestMethod.OTHER) {
      return others;
    }
    return records.size() == 1 ? records.get(0) : record(method.verb());
  }

  private @Nullable Route record(String verb) {
    Route ofGet = null;
    for (Route one : records) {
      if (one.method().equals(verb)) {
        return one;
      }
      if (one.method().equals("get")) {
        ofGet = one;
      }
    }
    return verb.equals("head") ? ofGet : null;
  }

  /** Adds the methods for the response to OPTIONS; GET includes HEAD. */
  void addVerbs(Collection<String> names) {
    for (Route one : records) {
      if (!one.method().equals("options")) {
        names.add(one.method().toUpperCase(Locale.ROOT));
      }
      if (one.method().equals("get")) {
        names.add("HEAD");
      }
    }
  }

  /** Returns the layer without one of its records; null if none is left. */
  @Nullable RouteLayer without(Route record) {
    List<Route> left = new ArrayList<>(records);
    left.remove(record);
    return left.isEmpty() ? null : of(path, steps, List.copyOf(left), others);
  }

  /** Returns the verb; {@code all} for all methods. */
  String verb() {
    return others == null ? records.get(0).method() : others.method();
  }

  @Override
  public String name() {
    return verb() + " " + path;
  }

  @Override
  public String origin() {
    return records.get(0).origin();
  }
}
