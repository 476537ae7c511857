package dev.percolate.framework;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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
    return new AbstractSet<>() {

      @Override
      public Iterator<Map.Entry<String, List<Route>>> iterator() {
        Iterator<Map.Entry<String, List<Route>>> entries =
            verbs().stream().map(RouteTable.this::entry).iterator();
        return new Snapshot<>(entries, entry -> RouteTable.this.remove(entry.getKey()));
      }

      @Override
      public int size() {
        return verbs().size();
      }
    };
  }

  private Map.Entry<String, List<Route>> entry(String verb) {
    return new SimpleEntry<>(verb, new Records(verb)) {

      private static final long serialVersionUID = 1L;

      @Override
      public List<Route> setValue(List<Route> kept) {
        RouteTable.this.put(getKey(), kept);
        return super.setValue(kept);
      }
    };
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

    @Override
    public Iterator<Route> iterator() {
      return new Snapshot<>(records(verb).iterator(), stack::remove);
    }
  }

  /** Iterates over the elements at one time, and removes elements from the stack. */
  private static final class Snapshot<E> implements Iterator<E> {

    private final Iterator<E> elements;
    private final Consumer<E> remover;
    private @Nullable E last;

    Snapshot(Iterator<E> elements, Consumer<E> remover) {
      this.elements = elements;
      this.remover = remover;
    }

    @Override
    public boolean hasNext() {
      return elements.hasNext();
    }

    @Override
    public E next() {
      E next = elements.next();
      last = next;
      return next;
    }

    @Override
    public void remove() {
      E removed = last;
      if (removed == null) {
        throw new IllegalStateException("remove() before next()");
      }
      remover.accept(removed);
      last = null;
    }
  }
}
