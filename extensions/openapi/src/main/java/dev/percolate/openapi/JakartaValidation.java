package dev.percolate.openapi;

import jakarta.validation.Configuration;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorFactory;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.MessageInterpolator;
import jakarta.validation.NoProviderFoundException;
import jakarta.validation.Path;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validates with the Jakarta Validation provider on the class path.
 *
 * @param factory creates validators whose messages are in the language of a request
 * @param plain validates without messages
 */
record JakartaValidation(ValidatorFactory factory, Validator plain) implements Validation {

  /** Needs no Expression Language library, which few messages use. */
  private static final String WITHOUT_EXPRESSIONS =
      "org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator";

  /** Creates a validation; null if there is no provider. */
  static @Nullable Validation create() {
    try {
      Configuration<?> configuration =
          jakarta.validation.Validation.byDefaultProvider().configure();
      MessageInterpolator messages = messages();
      if (messages != null) {
        configuration.messageInterpolator(messages);
      }
      configuration.addMapping(
          new ByteArrayInputStream(PatternCheck.MAPPING.getBytes(StandardCharsets.UTF_8)));
      configuration.constraintValidatorFactory(
          new WithPatterns(configuration.getDefaultConstraintValidatorFactory()));
      ValidatorFactory factory = configuration.buildValidatorFactory();
      return new JakartaValidation(factory, factory.getValidator());
    } catch (NoProviderFoundException e) {
      return null;
    }
  }

  @Override
  public List<Violation> check(Object value, Locale locale) {
    if (isFine(value)) {
      return List.of();
    }
    // Messages are only created for invalid values, in the language of the request.
    Validator validator =
        factory
            .usingContext()
            .messageInterpolator(new InLanguage(factory.getMessageInterpolator(), locale))
            .getValidator();
    Set<Violation> violations = new LinkedHashSet<>(); // objects with @Valid are visited twice
    NestedValues.visit(
        value,
        (one, way) -> {
          for (ConstraintViolation<Object> wrong : validator.validate(one)) {
            List<Object> path = NestedValues.Way.steps(way);
            path.addAll(path(wrong.getPropertyPath()));
            violations.add(new Violation(path, wrong.getMessage()));
          }
        });
    return List.copyOf(violations);
  }

  private boolean isFine(Object value) {
    boolean[] fine = {true};
    NestedValues.visit(
        value,
        (one, way) -> fine[0] = fine[0] && (!isConstrained(one) || plain.validate(one).isEmpty()));
    return fine[0];
  }

  private boolean isConstrained(Object one) {
    return plain.getConstraintsForClass(one.getClass()).isBeanConstrained();
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

  /** Creates messages in one language, and evaluates or removes their expressions. */
  private record InLanguage(MessageInterpolator messages, Locale locale)
      implements MessageInterpolator {

    @Override
    public String interpolate(String template, Context context) {
      return MessageExpressions.evaluate(
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
