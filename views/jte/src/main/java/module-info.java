import org.jspecify.annotations.NullMarked;

/** Renders jte templates. */
@NullMarked
module dev.percolate.views.jte {
  requires transitive dev.percolate.framework;
  requires gg.jte;
  requires gg.jte.runtime;
  requires java.compiler; // jte needs it but, as an automatic module, cannot declare it
  requires static org.jspecify;

  exports dev.percolate.views.jte;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.jte.JteViews;
}
