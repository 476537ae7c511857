package dev.percolate.checks;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Draws the modules. Each is above those that it requires, with an arrow to each of them unless
 * other arrows already lead there. Modules of one kind, such as the template engines, are one box.
 */
final class ModuleDrawing {

  private static final String PREFIX = "dev.percolate.";
  private static final String VIEWS = "views-…";
  private static final int WIDTH = 118;
  private static final int HEIGHT = 34;
  private static final int GAP = 22;
  private static final int FLOOR = 92;
  private static final int MARGIN = 20;

  private final Map<String, Set<String>> uses = new TreeMap<>();
  private final Map<String, Integer> floors = new HashMap<>();
  private final Map<String, Integer> places = new HashMap<>();
  private int engines;

  private ModuleDrawing() {}

  /** Returns the drawing of all published modules, as SVG. */
  static String ofAllModules() throws IOException {
    ModuleDrawing drawing = new ModuleDrawing();
    List<Path> classes = new ArrayList<>();
    for (String module : Modules.published()) {
      classes.add(Modules.classes(module));
    }
    ModuleFinder.of(classes.toArray(Path[]::new)).findAll().forEach(drawing::add);
    drawing.reduce();
    drawing.uses.keySet().forEach(drawing::floor);
    return drawing.svg();
  }

  private void add(ModuleReference module) {
    ModuleDescriptor descriptor = module.descriptor();
    engines += descriptor.name().startsWith(PREFIX + "views.") ? 1 : 0;
    Set<String> used = uses.computeIfAbsent(box(descriptor.name()), name -> new TreeSet<>());
    descriptor.requires().stream()
        .map(ModuleDescriptor.Requires::name)
        .filter(name -> name.startsWith(PREFIX))
        .map(ModuleDrawing::box)
        .forEach(used::add);
  }

  private static String box(String module) {
    String name = module.equals("dev.percolate") ? "percolate" : module.substring(PREFIX.length());
    return name.startsWith("views.") ? VIEWS : name;
  }

  /** Removes dependencies that another dependency already provides. */
  private void reduce() {
    Map<String, Set<String>> all = new HashMap<>();
    uses.forEach((name, used) -> all.put(name, Set.copyOf(used)));
    uses.replaceAll(
        (name, used) ->
            used.stream()
                .filter(one -> used.stream().noneMatch(other -> leads(other, one, all)))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static boolean leads(String from, String to, Map<String, Set<String>> all) {
    Set<String> used = all.getOrDefault(from, Set.of());
    return used.contains(to) || used.stream().anyMatch(next -> leads(next, to, all));
  }

  private int floor(String name) {
    int floor = uses.get(name).stream().mapToInt(used -> floor(used) + 1).max().orElse(0);
    floors.put(name, floor);
    return floor;
  }

  private String svg() {
    Map<Integer, List<String>> rows =
        uses.keySet().stream()
            .collect(Collectors.groupingBy(floors::get, TreeMap::new, Collectors.toList()));
    int widest = rows.values().stream().mapToInt(List::size).max().orElse(1);
    int width = 2 * MARGIN + widest * (WIDTH + GAP) - GAP;
    int height = 2 * MARGIN + (rows.size() - 1) * FLOOR + HEIGHT;
    rows.forEach((floor, row) -> place(row, width));
    StringBuilder out = new StringBuilder();
    out.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="14">
        <title>The modules; each uses those that its arrows lead to</title>
        <rect width="%d" height="%d" fill="#fff"/>
        <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#567"/></marker></defs>
        """
            .formatted(width, height, width, height));
    uses.forEach((name, used) -> used.forEach(other -> out.append(arrow(name, other, height))));
    uses.keySet().forEach(name -> out.append(box(name, height)));
    return out.append("</svg>\n").toString();
  }

  /** Puts each box above the middle of its dependencies, and the most used one in the middle. */
  private void place(List<String> row, int width) {
    row.sort(Comparator.comparingDouble(this::middle).thenComparing(Comparator.naturalOrder()));
    String most = Collections.max(row, Comparator.comparingLong(this::users));
    row.remove(most);
    row.add(row.size() / 2, most);
    int step = (width - 2 * MARGIN) / row.size();
    for (int i = 0; i < row.size(); i++) {
      places.put(row.get(i), MARGIN + step * i + step / 2);
    }
  }

  private long users(String name) {
    return uses.values().stream().filter(used -> used.contains(name)).count();
  }

  private double middle(String name) {
    return uses.get(name).stream().mapToInt(places::get).average().orElse(0);
  }

  private String arrow(String from, String to, int height) {
    return "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#567\" marker-end=\"url(#tip)\"/>%n"
        .formatted(places.get(from), top(from, height) + HEIGHT, places.get(to), top(to, height))
        .replace(System.lineSeparator(), "\n");
  }

  private String box(String name, int height) {
    return """
        <rect x="%d" y="%d" width="%d" height="%d" rx="5" fill="#eef3f8" stroke="#567"/>
        <text x="%d" y="%d" text-anchor="middle">%s</text>
        """
        .formatted(
            places.get(name) - WIDTH / 2,
            top(name, height),
            WIDTH,
            HEIGHT,
            places.get(name),
            top(name, height) + HEIGHT / 2 + 5,
            name.equals(VIEWS) ? name + " (" + engines + ")" : name);
  }

  private int top(String name, int height) {
    return height - MARGIN - HEIGHT - floors.get(name) * FLOOR;
  }
}
