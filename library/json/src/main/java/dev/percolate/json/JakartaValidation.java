package dev.percolate.json;

import dev.percolate.core.Validation;
import jakarta.validation.Configuration;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorFactory;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.MessageInterpolator;
import jakarta.validation.NoProviderFoundException;
import jakarta.validation.Path;
import jakarta.validation.TraversableResolver;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import jakarta.validation.valueextraction.ExtractedValue;
import jakarta.validation.valueextraction.ValueExtractor;
import java.io.ByteArrayInputStream;
import java.lang.annotation.ElementType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Validates with the Jakarta Validation provider on the class path.
 *
 * <p>It visits all objects in a value itself ({@link NestedValues}), so that the provider validates
 * each object once, and does not recurse, however deep the objects nest.
 *
 * @param factory creates validators whose messages are in the language of a request
 * @param plain validates without messages
 */
record JakartaValidation(ValidatorFactory factory, Validator plain) implements Validation {

  /** The maximum number of violations; one object can have any number. */
  private static final int ENOUGH = 50;

  /** Needs no Expression Language library, which few messages use. */
  private static final String WITHOUT_EXPRESSIONS =
      "org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator";

  /** Whether Hibernate Validator evaluates expressions in messages. */
  private static final String EXPRESSIONS =
      "hibernate.validator.constraint_expression_language_feature_level";

  private static final String CACHED_RESOLVER =
      "hibernate.validator.enable_traversable_resolver_result_cache";

  /** Creates a validation; null if there is no provider. */
  static @Nullable Validation create() {
    try {
      Configuration<?> configuration =
          jakarta.validation.Validation.byDefaultProvider().configure();
      MessageInterpolator messages = messages();
      if (messages != null) {
        configuration.messageInterpolator(messages);
        // Otherwise it would log a warning for each message with an expression.
        configuration.addProperty(EXPRESSIONS, "none");
      }
      configuration.traversableResolver(new OneObject());
      configuration.addProperty(CACHED_RESOLVER, "false"); // it only returns constants
      configuration.addValueExtractor(new PresentValue());
      configuration.addMapping(
          new ByteArrayInputStream(PatternCheck.MAPPING.getBytes(StandardCharsets.UTF_8)));
      configuration.constraintValidatorFactory(
          new WithPatterns(configuration.getDefaultConstraintValidatorFactory()));
      ValidatorFactory factory = configuration.buildValidatorFactory();
      return new JakartaValidation(factory, validator(factory, Locale.ROOT, 0));
    } catch (NoProviderFoundException e) {
      return null;
    }
  }

  @Override
  public List<Violation> check(Object value, Supplier<Locale> locale) {
    List<Violation> violations = new ArrayList<>();
    NestedValues.visit(
        value,
        (one, way) -> {
          int most = ENOUGH - violations.size();
          if (most > 0 && !plain.validate(one).isEmpty()) {
            add(one, way, validator(factory, locale.get(), most), violations);
          }
        });
    return violations;
  }

  /** Returns a validator that creates messages in a language, for the first violations only. */
  private static Validator validator(ValidatorFactory factory, Locale locale, int most) {
    return factory
        .usingContext()
        .messageInterpolator(new FirstMessages(factory.getMessageInterpolator(), locale, most))
        .getValidator();
  }

  /** Adds the violations that the validator creates messages for. */
  private static void add(
      Object value,
      NestedValues.@Nullable Way way,
      Validator validator,
      List<Violation> violations) {
    for (ConstraintViolation<Object> wrong : validator.validate(value)) {
      if (wrong.getMessage().startsWith(FirstMessages.MARK)) {
        List<Object> path = NestedValues.Way.steps(way);
        path.addAll(path(wrong.getPropertyPath()));
        String message = wrong.getMessage().substring(FirstMessages.MARK.length());
        violations.add(new Violation(path, message));
      }
    }
  }

  private static List<Object> path(Path path) {
    List<Object> steps = new ArrayList<>();
    for (Path.Node node : path) {
      if (node.getIndex() != null) {
        steps.add(node.getIndex());
      } else if (node.getKey() != null) {
        steps.add(String.valueOf(node.getKey()));
      }
      boolean named = node.getName() != null && !node.getName().startsWith("<");
      if (named) {
        steps.add(node.getName());
      }
    }
    return steps;
  }

  private static @Nullable MessageInterpolator messages() {
    ClassLoader loader = JakartaValidation.class.getClassLoader();
    try {
      Class.forName("jakarta.el.ExpressionFactory", false, loader);
      return null;
    } catch (ClassNotFoundException e) {
      // With its default, Hibernate Validator would not start.
    }
    try {
      return Class.forName(WITHOUT_EXPRESSIONS, true, loader)
          .asSubclass(MessageInterpolator.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      return null; // another provider
    }
  }

  /** Creates the validator of patterns, which libraries cannot access; delegates all others. */
  private record WithPatterns(ConstraintValidatorFactory others)
      implements ConstraintValidatorFactory {

    @Override
    public <T extends ConstraintValidator<?, ?>> T getInstance(Class<T> type) {
      return type == PatternCheck.class ? type.cast(new PatternCheck()) : others.getInstance(type);
    }

    @Override
    public void releaseInstance(ConstraintValidator<?, ?> instance) {
      if (!(instance instanceof PatternCheck)) {
        others.releaseInstance(instance);
      }
    }
  }

  /** Restricts the provider to one object; the objects in it are validated separately. */
  private static final class OneObject implements TraversableResolver {

    @Override
    public boolean isReachable(
        @Nullable Object object, Path.Node property, Class<?> root, Path path, ElementType kind) {
      return true;
    }

    @Override
    public boolean isCascadable(
        @Nullable Object object, Path.Node property, Class<?> root, Path path, ElementType kind) {
      return false;
    }
  }

  /**
   * Applies the constraints in {@code Optional<@NotBlank String>} to present values only. Providers
   * would validate null for an empty optional.
   */
  private static final class PresentValue implements ValueExtractor<Optional<@ExtractedValue ?>> {

    @Override
    public void extractValues(Optional<?> optional, ValueReceiver receiver) {
      optional.ifPresent(value -> receiver.value(null, value));
    }
  }

  /**
   * Creates the first messages in one language, and evaluates or removes their expressions. All
   * further messages are empty.
   */
  private static final class FirstMessages implements MessageInterpolator {

    /** Starts each created message, since the message of a constraint can be empty too. */
    static final String MARK = "!";

    private final MessageInterpolator messages;
    private final Locale locale;
    private int left;

    /**
     * Creates messages for one thread, or none for all threads.
     *
     * @param most the maximum number of created messages
     */
    FirstMessages(MessageInterpolator messages, Locale locale, int most) {
      this.messages = messages;
      this.locale = locale;
      this.left = most;
    }

    @Override
    public String interpolate(String template, Context context) {
      if (left == 0) {
        return "";
      }
      left--;
      return MARK
          + MessageExpressions.evaluate(
              messages.interpolate(template, context, locale),
              context.getConstraintDescriptor().getAttributes(),
              context.getValidatedValue());
    }

    @Override
    public String interpolate(String template, Context context, Locale ignored) {
      return interpolate(template, context);
    }
  }
}
