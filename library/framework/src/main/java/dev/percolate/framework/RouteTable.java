package dev.percolate.framework;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A live view of the routes of a stack by verb; removing a route here removes it there. */
final class RouteTable extends AbstractMap<String, List<Route>> {

  private final Stack stack;

  RouteTable(Stack stack) {
    this.stack = stack;
  }

  @Override
  public @Nullable List<Route> get(@Nullable Object verb) {
    return verb instanceof String name && !records(name).isEmpty() ? new Records(name) : null;
  }

  @Override
  public boolean containsKey(@Nullable Object verb) {
    return get(verb) != null;
  }

  /** Removes the routes of a verb that are not in a list. */
  @Override
  public @Nullable List<Route> put(String verb, List<Route> kept) {
    List<Route> before = records(verb);
    List<Route> left = List.copyOf(kept); // it may be a view of this table
    if (!before.containsAll(left)) {
      throw new IllegalArgumentException(
          "routes().put(\"" + verb + "\", …): unknown route; only existing routes can be kept");
    }
    before.stream().filter(one -> !left.contains(one)).forEach(stack::remove);
    return before.isEmpty() ? null : before;
  }

  @Override
  public @Nullable List<Route> remove(@Nullable Object verb) {
    return verb instanceof String name ? put(name, List.of()) : null;
  }

  @Override
  public Set<Map.Entry<String, List<Route>>> entrySet() {
    return new Entries(verbs());
  }

  private Set<String> verbs() {
    Set<String> verbs = new LinkedHashSet<>();
    for (RouteLayer layer : stack.snapshot().routes()) {
      layer.records().forEach(one -> verbs.add(one.method()));
    }
    return verbs;
  }

  private List<Route> records(String verb) {
    return stack.snapshot().routes().stream()
        .flatMap(layer -> layer.records().stream())
        .filter(one -> one.method().equals(verb))
        .toList();
  }

  private final class Records extends AbstractList<Route> {

    private final String verb;

    Records(String verb) {
      this.verb = verb;
    }

    @Override
    public Route get(int index) {
      return records(verb).get(index);
    }

    @Override
    public Route remove(int index) {
      Route removed = get(index);
      stack.remove(removed);
      return removed;
    }

    @Override
    public int size() {
      return records(verb).size();
    }

    /** Iterates over a snapshot of the routes. */
    @Override
    public Iterator<Route> iterator() {
      Iterator<Route> snapshot = records(verb).iterator();
      return new Iterator<>() {

        private @Nullable Route last;

        @Override
        public boolean hasNext() {
          return snapshot.hasNext();
        }

        @Override
        public Route next() {
          Route next = snapshot.next();
          last = next;
          return next;
        }

        @Override
        public void remove() {
          if (last == null) {
            throw new IllegalStateException("remove() before next()");
          }
          stack.remove(last);
          last = null;
        }
      };
    }
  }

  private final class Entries extends AbstractSet<Map.Entry<String, List<Route>>> {

    private final Set<String> verbs;

    Entries(Set<String> verbs) {
      this.verbs = verbs;
    }

    @Override
    public Iterator<Map.Entry<String, List<Route>>> iterator() {
      Iterator<String> names = verbs.iterator();
      return new Iterator<>() {

        private String last = "";

        @Override
        public boolean hasNext() {
          return names.hasNext();
        }

        @Override
        public Map.Entry<String, List<Route>> next() {
          last = names.next();
          return new SimpleEntry<>(last, new Records(last)) {

            private static final long serialVersionUID = 1L;

            @Override
            public List<Route> setValue(List<Route> kept) {
              RouteTable.this.put(getKey(), kept);
              return super.setValue(kept);
            }
          };
        }

        @Override
        public void remove() {
          names.remove();
          RouteTable.this.remove(last);
        }
      };
    }

    @Override
    public int size() {
      return verbs.size();
    }
  }
}
