package dev.percolate.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FormWriterTest {

  @Test
  void simpleFormsRepeatTheNamesOfLists() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("a b", "x+y&z=\u00e9");
    values.put("c", List.of("1", 2, true));
    values.put("d[e]", null);
    values.put("none", List.of());
    assertEquals("a+b=x%2By%26z%3D%C3%A9&c=1&c=2&c=true&d%5Be%5D=", Form.simple().write(values));
    assertEquals("", Form.simple().write(Map.of()));
  }

  @Test
  void extendedFormsNest() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("user", Map.of("name", "A n"));
    values.put("tags", List.of("x", List.of("y")));
    assertEquals(
        "user%5Bname%5D=A+n&tags%5B0%5D=x&tags%5B1%5D%5B0%5D=y", Form.extended().write(values));
  }

  @Test
  void onlyLettersDigitsAndFourMarksAreUnescaped() {
    assertEquals(
        "a=azAZ09*-._%7E%21%27%28%29%25%EF%BF%BD%F0%9F%98%80",
        Form.simple().write(Map.of("a", "azAZ09*-._~!'()%\ud800\ud83d\ude00")));
  }

  @Test
  void valuesDeeperThanTheGrammarAreRejected() {
    Map<String, Object> nested = Map.of("a", Map.of("b", Map.of("c", "x")));
    assertEquals("a%5Bb%5D%5Bc%5D=x", Form.extended().depth(2).write(nested));
    assertThrows(IllegalArgumentException.class, () -> Form.extended().depth(1).write(nested));
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> Form.simple().write(nested));
    assertEquals(
        "\"a\" must be a string or a list of strings in a simple form", error.getMessage());
    Map<String, Object> list = Map.of("a", List.of(List.of("x")));
    assertThrows(IllegalArgumentException.class, () -> Form.simple().write(list));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=1&b=&c=x+y",
        "a=1&a=2&a=",
        "a[b]=1",
        "a%5D=b]=c",
        "=x&+=1",
        "%zz=%c3%a9",
        "a=%00%E2%9C%93"
      })
  void simpleFormsAreParsedBack(String text) throws FormException {
    Map<String, Object> values = Form.simple().parse(text, UTF_8);
    assertEquals(values, Form.simple().parse(Form.simple().write(values), UTF_8));
  }

  @Test
  void extendedFormsAreParsedBack() throws FormException {
    for (long seed = 0; seed < 2000; seed++) {
      Map<String, Object> values = map(new SplittableRandom(seed), 4);
      String text = Form.extended().write(values);
      assertEquals(values, Form.extended().parse(text, UTF_8), text);
    }
  }

  private static Map<String, Object> map(SplittableRandom random, int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      map.put(random.nextBoolean() ? "n" + i : "\u00e9 &=+%" + i, value(random, depth - 1));
    }
    return map;
  }

  private static Object value(SplittableRandom random, int depth) {
    int kind = depth == 0 ? 0 : random.nextInt(3);
    if (kind == 0) {
      return random.nextInt(8) == 0 ? "" : "v &=[]+%41" + random.nextInt(9);
    }
    if (kind == 1) {
      return map(random, depth);
    }
    List<Object> list = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      list.add(value(random, depth - 1));
    }
    return list;
  }
}
