package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.TypeRef;
import dev.percolate.http.HttpError;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeMismatchTest {

  private final JsonCodec codec = new JacksonCodec();

  /** Looks like a Kotlin class in Java: a constructor with several parameters and no annotation. */
  static final class NoCreator {
    final String text;

    NoCreator(String first, String second) {
      text = first + second;
    }
  }

  interface Shape {}

  record Drawing(List<Shape> shapes) {}

  record Down(String name) {
    Down {
      if (name != null) {
        throw new IllegalStateException("db is down");
      }
    }
  }

  record Careless(String name, int length) {
    Careless {
      length = name.length();
    }
  }

  record Needed(String customer) {
    Needed {
      Objects.requireNonNull(customer, "customer");
    }
  }

  record Whatever(String customer) {
    Whatever {
      Objects.requireNonNull(customer);
    }
  }

  record Noted(String customer) {
    Noted {
      if (customer == null) {
        throw new NullPointerException("customer is marked non-null but is null");
      }
    }
  }

  record Teapot(String name) {
    Teapot {
      if (name == null) {
        throw new HttpError(418, "short and stout");
      }
    }
  }

  record Basket(List<Needed> orders, Map<String, Down> named) {}

  /** A bean with setters that throw. */
  static final class Bean {
    public void setSmall(int small) {
      if (small > 0) {
        throw new IllegalArgumentException("small must be small");
      }
    }

    public void setBroken(int broken) {
      if (broken > 0) {
        throw new IllegalStateException("disk is full");
      }
    }
  }

  enum Size {
    @JsonProperty("small")
    SMALL,
    LARGE
  }

  record All(
      int number,
      Long id,
      BigDecimal price,
      boolean open,
      String text,
      Size size,
      List<Integer> list,
      Map<String, Integer> map,
      UUID uuid,
      Instant time,
      LocalDate date,
      Needed order) {}

  @Test
  void aClassWithoutACreatorIsNotTheClientsFault() {
    Exception error = unreadable("{}", NoCreator.class);
    assertTrue(
        text(error).startsWith("JSON: " + NoCreator.class.getName() + " cannot be read: "),
        text(error));
    assertTrue(text(error).contains("no Creators"), text(error));
    assertTrue(text(error).endsWith("annotate a constructor with @JsonCreator."), text(error));
    assertNotNull(error.getCause());
  }

  @Test
  void anInterfaceInARecordIsNotTheClientsFault() {
    Exception error = unreadable("{\"shapes\":[{}]}", Drawing.class);
    assertTrue(text(error).contains(" cannot be read: /shapes/0: "), text(error));
    assertTrue(text(error).contains(Shape.class.getName()), text(error));
    assertTrue(text(error).endsWith("name its subclasses with @JsonSubTypes."), text(error));
  }

  @Test
  void aFailingConstructorIsNotTheClientsFault() {
    String start = "JSON: " + Basket.class.getName() + " cannot be read: /named/a\\nb: ";
    Exception error = unreadable("{\"named\":{\"a\\nb\":{\"name\":\"x\"}}}", Basket.class);
    assertEquals(start + "java.lang.IllegalStateException: db is down", text(error));
    assertInstanceOf(IllegalStateException.class, error.getCause());
    assertEquals("db is down", text(error.getCause()));
  }

  @Test
  void anAccidentalNullPointerExceptionIsNotTheClientsFault() {
    assertTrue(text(unreadable("{\"length\":1}", Careless.class)).contains("Cannot invoke"));
  }

  @Test
  void aNullRejectedByAConstructorIsTheClientsFault() {
    assertEquals("JSON: the value is invalid (customer)", withoutPlace(misfit("{}", Needed.class)));
    assertEquals("JSON: the value is invalid", withoutPlace(misfit("{}", Whatever.class)));
    assertEquals(
        "JSON: the value is invalid (customer is marked non-null but is null)",
        withoutPlace(misfit("{}", Noted.class)));
    assertEquals(
        "JSON: the value of /orders/1 is invalid (customer)",
        withoutPlace(misfit("{\"orders\":[{\"customer\":\"Ann\"},{}]}", Basket.class)));
  }

  @Test
  void anHttpErrorOfAConstructorIsThrownUnchanged() {
    TypeRef<List<Teapot>> list = new TypeRef<>() {};
    HttpError alone = assertThrows(HttpError.class, () -> codec.read("{}", Teapot.class));
    HttpError inside = assertThrows(HttpError.class, () -> codec.read("[{}]", list.type()));
    assertEquals("418 short and stout", alone.status() + " " + alone.getMessage());
    assertEquals("418 short and stout", inside.status() + " " + inside.getMessage());
  }

  @Test
  void settersAreHandledLikeConstructors() {
    assertEquals(
        "JSON: the value of /small is invalid (small must be small)",
        withoutPlace(misfit("{\"small\":1}", Bean.class)));
    assertTrue(
        text(unreadable("{\"broken\":1}", Bean.class))
            .endsWith(" cannot be read: /broken: java.lang.IllegalStateException: disk is full"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "number | 'secret'    | a whole number from -2147483648 to 2147483647",
        "number | 3000000000  | a whole number from -2147483648 to 2147483647",
        "number | 1.5         | a whole number from -2147483648 to 2147483647",
        "number | null        | a whole number from -2147483648 to 2147483647",
        "id     | true        | a whole number from -9223372036854775808 to 9223372036854775807",
        "price  | 'secret'    | a number",
        "open   | 'secret'    | true or false",
        "text   | ['secret']  | a string",
        "size   | 'secret'    | one of small, LARGE",
        "list   | 'secret'    | a list",
        "map    | ['secret']  | an object",
        "uuid   | 'secret'    | a UUID",
        "time   | 'secret'    | a time such as 2026-01-02T03:04:05Z",
        "date   | 'secret'    | a date such as 2026-01-02",
        "order  | ['secret']  | an object",
      },
      quoteCharacter = '`')
  void messagesNameWhatWasExpectedAndNotTheValueSent(String name, String value, String expected) {
    String text = "{\"" + name + "\":" + value.replace('\'', '"') + ",\"open\":true,\"number\":1}";
    if (name.equals("open") || name.equals("number")) {
      text = "{\"" + name + "\":" + value.replace('\'', '"') + "}";
    }
    assertEquals(
        "JSON: the value of /" + name + " is invalid (expected " + expected + ")",
        withoutPlace(misfit(text, All.class)));
  }

  @Test
  void bytesAreExpectedInBase64() {
    assertEquals(
        "JSON: the value is invalid (expected a string in base64)",
        withoutPlace(misfit("\"*secret*\"", byte[].class)));
  }

  private Exception unreadable(String text, java.lang.reflect.Type type) {
    return assertThrows(IllegalStateException.class, () -> codec.read(text, type));
  }

  private String misfit(String text, java.lang.reflect.Type type) {
    return text(assertThrows(IllegalArgumentException.class, () -> codec.read(text, type)));
  }

  private static String text(Throwable error) {
    return String.valueOf(error.getMessage());
  }

  private static String withoutPlace(String message) {
    int place = message.indexOf(" at line ");
    assertTrue(place > 0, message);
    return message.substring(0, place);
  }
}
