package dev.percolate.json;

import dev.percolate.http.BoundedText;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.constraints.Pattern;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Checks {@link Pattern} within a step budget; a text that exhausts it does not match. Replaces the
 * check of the provider.
 */
final class PatternCheck implements ConstraintValidator<Pattern, CharSequence> {

  /** Registers this class with providers. Not in a file, so that it works with any class loader. */
  static final String MAPPING =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <constraint-mappings xmlns="https://jakarta.ee/xml/ns/validation/mapping" version="3.0">
        <constraint-definition annotation="jakarta.validation.constraints.Pattern">
          <validated-by include-existing-validators="false">
            <value>%s</value>
          </validated-by>
        </constraint-definition>
      </constraint-mappings>
      """
          .formatted(PatternCheck.class.getName());

  private static final System.Logger LOG = System.getLogger("dev.percolate.json");

  private final AtomicBoolean warned = new AtomicBoolean();
  private java.util.regex.Pattern pattern = java.util.regex.Pattern.compile("");

  @Override
  public void initialize(Pattern constraint) {
    int flags = 0;
    for (Pattern.Flag flag : constraint.flags()) {
      flags |= flag.getValue();
    }
    pattern = java.util.regex.Pattern.compile(constraint.regexp(), flags);
  }

  @Override
  public boolean isValid(@Nullable CharSequence value, ConstraintValidatorContext context) {
    if (value == null) {
      return true;
    }
    try {
      return pattern.matcher(new BoundedText(value)).matches();
    } catch (BoundedText.Exhausted | StackOverflowError e) {
      if (warned.compareAndSet(false, true)) {
        LOG.log(
            Level.WARNING,
            "expression " + pattern + " takes too long to match some values; they are rejected");
      }
      return false;
    }
  }
}
