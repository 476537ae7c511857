import org.jspecify.annotations.NullMarked;

/** The template engine by Thymeleaf. */
@NullMarked
module dev.percolate.views.thymeleaf {
  requires transitive dev.percolate.framework;
  requires org.slf4j; // Thymeleaf's need, which it cannot tell as an automatic module
  requires thymeleaf;
  requires static org.jspecify;

  exports dev.percolate.views.thymeleaf;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.thymeleaf.ThymeleafViews;
}
