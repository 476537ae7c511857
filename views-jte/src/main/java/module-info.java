import org.jspecify.annotations.NullMarked;

/** The template engine by jte. */
@NullMarked
module dev.percolate.views.jte {
  requires transitive dev.percolate.framework;
  requires gg.jte;
  requires gg.jte.runtime;
  requires java.compiler; // jte's need, which it cannot tell as an automatic module
  requires static org.jspecify;

  exports dev.percolate.views.jte;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.jte.JteViews;
}
