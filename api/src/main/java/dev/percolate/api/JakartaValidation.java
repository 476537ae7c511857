package dev.percolate.api;

import jakarta.validation.Configuration;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.MessageInterpolator;
import jakarta.validation.NoProviderFoundException;
import jakarta.validation.Path;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks by the provider of Jakarta Validation that is on the class path. */
final class JakartaValidation implements Validation {

  /** Needs no library for the Expression Language, which few messages use. */
  private static final String WITHOUT_EXPRESSIONS =
      "org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator";

  private final ValidatorFactory factory;

  private JakartaValidation(ValidatorFactory factory) {
    this.factory = factory;
  }

  /** Returns one; null if there is no provider. */
  static @Nullable Validation create() {
    try {
      Configuration<?> configuration =
          jakarta.validation.Validation.byDefaultProvider().configure();
      MessageInterpolator messages = messages();
      return new JakartaValidation(
          (messages == null ? configuration : configuration.messageInterpolator(messages))
              .buildValidatorFactory());
    } catch (NoProviderFoundException e) {
      return null;
    }
  }

  @Override
  public List<Violation> check(Object value, Locale locale) {
    Validator validator =
        factory
            .usingContext()
            .messageInterpolator(new InLanguage(factory.getMessageInterpolator(), locale))
            .getValidator();
    List<Violation> violations = new ArrayList<>();
    for (ConstraintViolation<Object> one : validator.validate(value)) {
      violations.add(new Violation(path(one.getPropertyPath()), one.getMessage()));
    }
    return violations;
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
      // Hibernate Validator would not start by its own choice.
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

  /** Tells messages in one language. */
  private record InLanguage(MessageInterpolator messages, Locale locale)
      implements MessageInterpolator {

    @Override
    public String interpolate(String template, Context context) {
      return messages.interpolate(template, context, locale);
    }

    @Override
    public String interpolate(String template, Context context, Locale ignored) {
      return messages.interpolate(template, context, locale);
    }
  }
}
