package dev.percolate.middleware.files;

import dev.percolate.core.Directory;
import dev.percolate.http.Html;
import dev.percolate.http.Percent;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Renders the HTML page that lists a directory. All names are escaped, so that file names cannot
 * inject scripts.
 *
 * @param html the page with its four placeholders
 * @param style the style sheet
 * @param view {@code tiles} or {@code details}
 * @param icons whether entries have icons for files and directories
 */
public record ListingPage(String html, String style, String view, boolean icons) {

  public static final String HTML =
      """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>listing directory {directory}</title>
      <style>{style}</style>
      </head>
      <body class="directory">
      <div id="wrapper">
      <h1><a href="/">~</a>{linked-path}</h1>
      {files}
      </div>
      </body>
      </html>
      """;

  public static final String STYLE =
      """
      body{font:14px Helvetica,Arial,sans-serif;margin:0;padding:40px 60px;color:#444}
      a{color:#246;text-decoration:none}a:hover{text-decoration:underline}
      h1{font-size:18px}#files{list-style:none;margin:0;padding:0}
      #files .size,#files .date{display:none;color:#888;margin-left:1em}
      .view-tiles li{display:inline-block;width:14em;overflow:hidden;padding:4px 0}
      .view-details li .size,.view-details li .date{display:inline}
      .icon-directory .name::before{content:"\\1F4C1 "}.icon-file .name::before{content:"\\1F4C4 "}
      """;

  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{(?:style|files|directory|linked-path)}");

  /** An entry: its link, icon, title, name, size and date. */
  private static final String ENTRY =
      "<li><a href=\"%s\" class=\"%s\" title=\"%s\"><span class=\"name\">%s</span>"
          + "<span class=\"size\">%s</span><span class=\"date\">%s</span></a></li>";

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** An entry of the list. */
  private record Entry(String name, boolean folder, String size, String date) {}

  /**
   * Creates the page.
   *
   * @param path the path of the request, for the links
   * @param directory the directory
   * @param names the names to list
   */
  public String of(String path, Directory directory, List<String> names) {
    String decoded = Percent.decode(path);
    String[] all = (decoded == null ? path : decoded).split("/", -1);
    List<String> parts = Arrays.stream(all).filter(part -> !part.isEmpty()).toList();
    String shown = parts.isEmpty() ? "/" : "/" + String.join("/", parts);
    return filled(Html.escape(shown), linked(parts), files(parts, directory, names));
  }

  /** Replaces all placeholders in one pass, so that placeholders in file names have no effect. */
  private String filled(String directory, String linkedPath, String files) {
    return PLACEHOLDER
        .matcher(html)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    switch (found.group()) {
                      case "{style}" -> style;
                      case "{files}" -> files;
                      case "{directory}" -> directory;
                      default -> linkedPath;
                    }));
  }

  private static String linked(List<String> parts) {
    StringBuilder links = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      String link = href(parts.subList(0, i + 1));
      links.append(" / <a href=\"%s\">%s</a>".formatted(link, Html.escape(parts.get(i))));
    }
    return links.toString();
  }

  private String files(List<String> parts, Directory directory, List<String> names) {
    List<Entry> entries = new ArrayList<>();
    names.forEach(name -> entries.add(entry(directory, name)));
    entries.sort(
        Comparator.comparing((Entry entry) -> !entry.folder())
            .thenComparing(entry -> entry.name().toLowerCase(Locale.ROOT)));
    if (!directory.isRoot()) {
      entries.add(0, new Entry("..", true, "", ""));
    }
    return entries.stream()
        .map(entry -> item(parts, entry))
        .collect(Collectors.joining("", "<ul id=\"files\" class=\"view-" + view + "\">", "</ul>"));
  }

  private String item(List<String> parts, Entry entry) {
    List<String> place = new ArrayList<>(parts);
    boolean up = entry.name().equals("..");
    if (up && !place.isEmpty()) {
      place.remove(place.size() - 1);
    } else if (!up) {
      place.add(entry.name());
    }
    String name = Html.escape(entry.name());
    String icon = icons ? entry.folder() ? "icon icon-directory" : "icon icon-file" : "";
    return ENTRY.formatted(href(place), icon, name, name, entry.size(), entry.date());
  }

  /** Returns a path as a link with one leading slash, since two would lead to another host. */
  private static String href(List<String> parts) {
    StringBuilder href = new StringBuilder();
    parts.forEach(part -> href.append('/').append(Percent.encodeComponent(part)));
    return href.isEmpty() ? "/" : Html.escape(href.toString());
  }

  private static Entry entry(Directory directory, String name) {
    BasicFileAttributes found = directory.attributes(name);
    if (found == null) {
      return new Entry(name, false, "", "");
    }
    String size = found.isDirectory() ? "" : Long.toString(found.size());
    String date = DATE.format(found.lastModifiedTime().toInstant());
    return new Entry(name, found.isDirectory(), size, date);
  }
}
