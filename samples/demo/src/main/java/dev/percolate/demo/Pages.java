package dev.percolate.demo;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.Sessions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Renders the pages for visitors. */
final class Pages {

  /** The location of the templates, in the jar. */
  static final String VIEWS = "classpath:/views";

  private static final int ENTRIES = 10;

  private final Entries entries;

  /** The form, with the fields {@code entry[name]} and {@code entry[message]}. */
  private record Sent(EntryForm.@Nullable Draft entry) {}

  Pages(Entries entries) {
    this.entries = entries;
  }

  void show(Request req, Response res) throws Exception {
    Long before = req.query("before", Long.class);
    String name = req.attr(Sessions.SESSION).get("name", String.class);
    render(req, res, name == null ? EntryForm.EMPTY : EntryForm.by(name), before);
  }

  void write(Request req, Response res) throws Exception {
    EntryForm form = EntryForm.of(req.form(Sent.class).entry());
    if (form.errors().isEmpty()) {
      Entry entry = entries.add(form.name(), form.message());
      req.attr(Sessions.SESSION).set("name", form.name()); // for the next entry, on any server
      res.redirect(303, "/#entry-" + entry.id());
    } else {
      res.status(422);
      render(req, res, form, null);
    }
  }

  private void render(Request req, Response res, EntryForm form, @Nullable Long before)
      throws Exception {
    Entries.Page page = entries.page(before, ENTRIES);
    Map<String, @Nullable Object> locals = new LinkedHashMap<>();
    locals.put("form", form);
    locals.put("longestName", EntryForm.LONGEST_NAME);
    locals.put("longestMessage", EntryForm.LONGEST_MESSAGE);
    locals.put("entries", page.entries());
    locals.put("older", page.older());
    locals.put("newest", before == null);
    locals.put("count", entries.count());
    locals.put("token", Csrf.token(req));
    // The page contains the CSRF token of the visitor.
    res.set("Cache-Control", "private, no-cache");
    res.render("book", locals);
  }
}
