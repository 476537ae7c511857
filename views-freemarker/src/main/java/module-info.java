import org.jspecify.annotations.NullMarked;

/** The template engine by FreeMarker. */
@NullMarked
module dev.percolate.views.freemarker {
  requires transitive dev.percolate.framework;
  requires freemarker;
  requires java.desktop; // java.beans; FreeMarker's need, which it cannot tell as an automatic
  // module
  requires java.sql; // the same: its dates, and with it java.logging and java.xml
  requires static org.jspecify;

  exports dev.percolate.views.freemarker;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.freemarker.FreemarkerViews;
}
