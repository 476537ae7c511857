package dev.percolate.views.handlebars;

import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.helper.DefaultHelperRegistry;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The helpers of the library but those that run scripts or read files that are no templates. */
final class SafeRegistry extends DefaultHelperRegistry {

  private static final Set<String> UNSAFE = Set.of("precompile", "embedded", "i18n", "i18nJs");

  @Override
  public <C> @Nullable Helper<C> helper(String name) {
    return UNSAFE.contains(name) ? null : super.helper(name);
  }
}
