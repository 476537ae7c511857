package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.percolate.http.Form;
import dev.percolate.http.FormException;
import dev.percolate.http.HttpError;
import dev.percolate.http.QueryString;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A query or a form is read as a record without forbidden nulls, or is a 400 of limited size. */
final class RecordInputFuzzTest {

  private enum Size {
    SMALL,
    LARGE
  }

  private record Page(int n, Size size) {}

  private record Line(String article, BigDecimal price, List<Line> parts) {}

  private record All(
      String text,
      List<Long> tag,
      Set<Size> sizes,
      Optional<LocalDate> day,
      @Nullable Page page,
      Optional<Page> next,
      List<Line> lines) {}

  private static final InputType READER = Conversions.standard().records(All.class, All.class);

  @FuzzTest
  void aQueryIsARecordOrTheClientsFault(byte[] data) {
    read(QueryString.parse(new String(data, StandardCharsets.ISO_8859_1)));
  }

  /** Reads a record, as {@link Request} does. */
  private static void read(Map<?, ?> values) {
    InputErrors errors = new InputErrors(InputSource.FORM, () -> false, false);
    Object read = READER.read(values, InputPath.WHOLE, errors);
    assertNotNull(read);
    if (errors.isEmpty()) {
      assertWhole((All) read);
    } else {
      assertEquals(InputType.FAULTY, read);
      HttpError error = errors.error();
      assertEquals("400 value.invalid", error.status() + " " + error.type());
      assertTrue(((List<?>) assertThere(error.field("errors"))).size() <= 50);
      assertTrue(error.getMessage().length() < 5_000, error.getMessage());
    }
  }

  private static Object assertThere(@Nullable Object field) {
    assertNotNull(field);
    return field;
  }

  private static void assertWhole(All all) {
    assertNotNull(all.text());
    assertTrue(all.tag().stream().allMatch(one -> one != null));
    all.next().ifPresent(page -> assertNotNull(page.size()));
    all.lines().forEach(line -> assertNotNull(line.price().add(BigDecimal.ONE)));
  }

  /** The fuzz target for forms. Jazzer needs its seeds and corpus in a class of their own. */
  static void form(byte[] data) {
    String text = new String(data, StandardCharsets.ISO_8859_1);
    try {
      Map<String, Object> flat = Form.simple().parse(text, StandardCharsets.UTF_8);
      read(FormFields.nested(flat, List.of()));
      Map<String, Object> nested = Form.extended().parse(text, StandardCharsets.UTF_8);
      read(FormFields.nested(nested, List.of()));
    } catch (FormException e) {
      assertTrue(text.chars().filter(c -> c == '&').count() >= 1000, text);
    }
  }
}
