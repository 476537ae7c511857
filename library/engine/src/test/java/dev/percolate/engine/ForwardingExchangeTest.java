package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ForwardingExchangeTest {

  private static Set<String> methods(Method... methods) {
    return Arrays.stream(methods)
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .map(ForwardingExchangeTest::signature)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String signature(Method method) {
    return method.getName() + Arrays.toString(method.getParameterTypes());
  }

  @Test
  void allMethodsAreForwardedIncludingDefaultMethods() {
    assertEquals(
        methods(Exchange.class.getMethods()),
        methods(ForwardingExchange.class.getDeclaredMethods()));
  }
}
