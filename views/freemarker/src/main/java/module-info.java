import org.jspecify.annotations.NullMarked;

/** Renders FreeMarker templates. */
@NullMarked
module dev.percolate.views.freemarker {
  requires transitive dev.percolate.framework;
  requires freemarker;
  requires java.desktop; // java.beans, which FreeMarker uses but does not declare
  requires java.sql; // java.sql.Date, likewise; also brings java.logging and java.xml
  requires static org.jspecify;

  exports dev.percolate.views.freemarker;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.freemarker.FreemarkerViews;
}
