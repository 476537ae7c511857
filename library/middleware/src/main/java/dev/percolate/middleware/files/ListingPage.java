package dev.percolate.middleware.files;

import dev.percolate.core.Directory;
import dev.percolate.http.Html;
import dev.percolate.http.Percent;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

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

  private static final String HTML =
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

  private static final String STYLE =
      """
      body{font:14px Helvetica,Arial,sans-serif;margin:0;padding:40px 60px;color:#444}
      a{color:#246;text-decoration:none}a:hover{text-decoration:underline}
      h1{font-size:18px}#files{list-style:none;margin:0;padding:0}
      #files .size,#files .date{display:none;color:#888;margin-left:1em}
      .view-tiles li{display:inline-block;width:14em;overflow:hidden;padding:4px 0}
      .view-details li .size,.view-details li .date{display:inline}
      .icon-directory .name::before{content:"\\1F4C1 "}.icon-file .name::before{content:"\\1F4C4 "}
      """;

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** An entry of the list. */
  private record Entry(String name, boolean folder, String size, String date) {}

  public static ListingPage standard() {
    return new ListingPage(HTML, STYLE, "tiles", false);
  }

  public ListingPage view(String view) {
    return new ListingPage(html, style, view, icons);
  }

  public ListingPage icons(boolean icons) {
    return new ListingPage(html, style, view, icons);
  }

  public ListingPage style(String style) {
    return new ListingPage(html, style, view, icons);
  }

  public ListingPage template(String html) {
    return new ListingPage(html, style, view, icons);
  }

  /**
   * Creates the page.
   *
   * @param path the path of the request, for the links
   * @param directory the directory
   * @param names the names to list
   */
  public String of(String path, Directory directory, List<String> names) {
    String decoded = Percent.decode(path);
    List<String> parts = new ArrayList<>();
    for (String part : (decoded == null ? path : decoded).split("/", -1)) {
      if (!part.isEmpty()) {
        parts.add(part);
      }
    }
    String shown = parts.isEmpty() ? "/" : "/" + String.join("/", parts);
    return filled(Html.escape(shown), linked(parts), files(parts, directory, names));
  }

  /** Replaces all placeholders in one pass, so that placeholders in file names have no effect. */
  private String filled(String directory, String linkedPath, String files) {
    StringBuilder page = new StringBuilder(html.length() + files.length() + style.length());
    int from = 0;
    for (int i = html.indexOf('{'); i >= 0; i = html.indexOf('{', Math.max(i + 1, from))) {
      int end = html.indexOf('}', i);
      String value =
          switch (end < 0 ? "" : html.substring(i, end + 1)) {
            case "{style}" -> style;
            case "{files}" -> files;
            case "{directory}" -> directory;
            case "{linked-path}" -> linkedPath;
            default -> null;
          };
      if (value != null) {
        page.append(html, from, i).append(value);
        from = end + 1;
      }
    }
    return page.append(html, from, html.length()).toString();
  }

  private static String linked(List<String> parts) {
    StringBuilder links = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      links
          .append(" / <a href=\"")
          .append(href(parts.subList(0, i + 1)))
          .append("\">")
          .append(Html.escape(parts.get(i)))
          .append("</a>");
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
    StringBuilder list = new StringBuilder("<ul id=\"files\" class=\"view-").append(view);
    list.append("\">");
    for (Entry entry : entries) {
      append(list, parts, entry);
    }
    return list.append("</ul>").toString();
  }

  private void append(StringBuilder list, List<String> parts, Entry entry) {
    List<String> place = new ArrayList<>(parts);
    boolean up = entry.name().equals("..");
    if (up && !place.isEmpty()) {
      place.remove(place.size() - 1);
    } else if (!up) {
      place.add(entry.name());
    }
    String name = Html.escape(entry.name());
    String icon = icons ? entry.folder() ? "icon icon-directory" : "icon icon-file" : "";
    list.append("<li><a href=\"")
        .append(href(place))
        .append("\" class=\"")
        .append(icon)
        .append("\" title=\"")
        .append(name)
        .append("\"><span class=\"name\">")
        .append(name)
        .append("</span><span class=\"size\">")
        .append(entry.size())
        .append("</span><span class=\"date\">")
        .append(entry.date())
        .append("</span></a></li>");
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
