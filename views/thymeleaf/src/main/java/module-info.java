import org.jspecify.annotations.NullMarked;

/** Renders Thymeleaf templates. */
@NullMarked
module dev.percolate.views.thymeleaf {
  requires transitive dev.percolate.framework;
  requires org.slf4j; // Thymeleaf needs it but, as an automatic module, cannot declare it
  requires thymeleaf;
  requires static org.jspecify;

  exports dev.percolate.views.thymeleaf;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.thymeleaf.ThymeleafViews;
}
