package dev.percolate.demo;

import dev.percolate.http.Html;
import java.util.List;

/** Writes the pages; whatever a visitor gave is escaped. */
final class Page {

  static final String STYLE =
      """
      body { font: 1.05rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; \
      padding: 0 1rem; color: #223; background: #f6f4ef }
      h1 { font-weight: 600 }
      li, form { background: #fff; border-radius: .5rem; padding: .8rem 1rem; margin: .6rem 0; \
      box-shadow: 0 1px 3px #0002 }
      ul { padding: 0; list-style: none }
      input, textarea { display: block; width: 100%; box-sizing: border-box; font: inherit; \
      margin: .3rem 0 .8rem; padding: .4rem .6rem; border: 1px solid #bbb; border-radius: .3rem }
      button { font: inherit; padding: .4rem 1.2rem; border: 0; border-radius: .3rem; \
      background: #265; color: #fff }
      """;

  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>%1$s</title>
      <link rel="stylesheet" href="/style.css">
      <h1>%1$s</h1>
      """;

  private static final String FORM =
      """
      <form method="post" action="/notices">
        <label>Name <input name="name" maxlength="40" required></label>
        <label>Notice <textarea name="text" maxlength="500" required></textarea></label>
        <button>Put it up</button>
      </form>
      """;

  private Page() {}

  static String board(String title, List<Notice> notices) {
    StringBuilder page = new StringBuilder(HEAD.formatted(Html.escape(title))).append(FORM);
    page.append("<ul>\n");
    for (int i = notices.size() - 1; i >= 0; i--) {
      Notice notice = notices.get(i);
      page.append("<li><b>")
          .append(Html.escape(notice.name()))
          .append("</b><br>")
          .append(Html.escape(notice.text()))
          .append("</li>\n");
    }
    return page.append("</ul>\n").toString();
  }

  static String message(String text) {
    return HEAD.formatted("Notice board")
        + "<p>"
        + Html.escape(text)
        + "</p>\n<p><a href=\"/\">Back</a></p>\n";
  }
}
