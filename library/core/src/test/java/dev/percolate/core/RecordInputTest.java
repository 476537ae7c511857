package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings({"UnusedMethod", "ArrayRecordComponent", "StringSplitter"})
class RecordInputTest {

  private enum Size {
    SMALL,
    LARGE
  }

  private record Page(int number, Size size) {}

  private record Search(
      String text,
      List<Long> tag,
      Optional<LocalDate> since,
      @Nullable Integer limit,
      Optional<Page> page) {}

  private record Line(String article, BigDecimal price) {
    Line {
      if (price.signum() < 0) {
        throw new IllegalArgumentException("price must be positive");
      }
    }
  }

  private record Order(Page page, List<Line> lines) {}

  private record Photo(String field, String name) implements FormFile {

    @Override
    public @Nullable String type() {
      return null;
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public InputStream inputStream() {
      return InputStream.nullInputStream();
    }
  }

  private record Entry(String title, @Nullable Photo photo, List<Photo> more) {}

  private record Pair<A, B>(A first, List<B> second) {}

  private record Pairs(Pair<Integer, Page> one, Optional<Pair<Size, Boolean>> other) {}

  private record Tree(int value, List<Tree> branches) {}

  private record Everything(
      boolean flag,
      char letter,
      byte small,
      int[] numbers,
      Size[] sizes,
      Set<String> names,
      List<? extends Number> wrong) {}

  private record Collections(
      int[] numbers, Size[] sizes, Set<String> names, List<List<Long>> grid) {}

  @Retention(RetentionPolicy.RUNTIME)
  private @interface Absent {
    /** Another annotation with the same name. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Nullable {}
  }

  private record Foreign(@Absent.Nullable String name, int number) {}

  private record Picky(String name) {
    Picky {
      if (name.equals("teapot")) {
        throw new HttpError(418, "short and stout");
      }
      if (name.equals("down")) {
        throw new IllegalStateException("the database is down");
      }
    }
  }

  private record Money(long cents) {}

  private record Priced(Money price) {}

  private static <T extends Record> T query(String query, Class<T> type) {
    return FakeExchange.of("GET", "/?" + query).request().query(type);
  }

  @Test
  void aRecordIsReadFromTheQuery() {
    assertEquals(
        new Search(
            "a b",
            List.of(1L, 2L),
            Optional.of(LocalDate.of(2026, 1, 2)),
            7,
            Optional.of(new Page(3, Size.LARGE))),
        query(
            "text=a+b&tag=1&tag=2&since=2026-01-02&limit=7&page[number]=3&page[size]=large&x=y",
            Search.class));
    assertEquals(
        new Search("", List.of(), Optional.empty(), null, Optional.empty()),
        query("text=&limit=&since=&tag=", Search.class));
    assertEquals(List.of(4L), query("text=a&tag[]=4", Search.class).tag());
    assertEquals(List.of(4L, 5L), query("text=a&tag[0]=4&tag[1]=5", Search.class).tag());
    assertEquals("first", query("text=first&text=second", Search.class).text());
  }

  @Test
  void allInvalidComponentsAreReportedTogether() {
    HttpError error =
        fault(() -> query("tag=1&tag=x&since=soon&page[size]=huge&limit=1.5", Search.class));
    assertEquals("400 value.invalid", error.status() + " " + error.type());
    assertEquals(
        List.of(
            "text value.missing is missing",
            "tag[1] value.invalid expected a whole number from -9223372036854775808 to"
                + " 9223372036854775807",
            "since value.invalid expected a date such as 2026-01-02",
            "limit value.invalid expected a whole number from -2147483648 to 2147483647",
            "page[number] value.missing is missing",
            "page[size] value.invalid expected one of SMALL, LARGE"),
        errors(error).stream()
            .map(e -> e.get("parameter") + " " + e.get("code") + " " + e.get("detail"))
            .toList());
    assertEquals(
        "query parameter \"text\" is missing; query parameter \"tag[1]\":"
            + " expected a whole number from -9223372036854775808 to 9223372036854775807, not"
            + " \"x\"; query parameter \"since\": expected a date such as 2026-01-02, not \"soon\";"
            + " and 3 more",
        error.getMessage());
    assertFalse(String.valueOf(error.field("detail")).contains("soon"));
    assertEquals(Set.of("parameter", "code", "detail"), errors(error).get(5).keySet());
  }

  @Test
  void anAbsentRecordIsReportedAsMissing() {
    HttpError error = fault(() -> query("", Order.class));
    assertTrue(
        String.valueOf(error.getMessage()).startsWith("query parameter \"page\" is missing"));
    assertEquals(
        "query parameter \"page\": expected fields inside: number, size",
        fault(() -> query("page=7", Order.class)).field("detail"));
  }

  @Test
  void aFormIsReadWhetherOrNotItsParserNests() {
    Map<String, Object> flat = new LinkedHashMap<>();
    flat.put("page[number]", "1");
    flat.put("page[size]", "small");
    flat.put("lines[1][article]", "rum");
    flat.put("lines[1][price]", "2");
    flat.put("lines[0][article]", "tea");
    flat.put("lines[0][price]", "4.10");
    Order order =
        new Order(
            new Page(1, Size.SMALL),
            List.of(new Line("tea", new BigDecimal("4.10")), new Line("rum", new BigDecimal(2))));
    assertEquals(order, form(flat).form(Order.class));
    assertEquals(order, form(flat).body(Order.class));
    Map<String, ?> nested =
        Map.of(
            "page",
            Map.of("number", "1", "size", "small"),
            "lines",
            List.of(
                Map.of("article", "tea", "price", "4.10"), Map.of("article", "rum", "price", "2")));
    assertEquals(order, form(nested).form(Order.class));
  }

  @Test
  void componentsMayBeFilesOfAForm() {
    Photo cat = new Photo("photo", "cat");
    Photo one = new Photo("more", "one");
    Photo two = new Photo("more", "two");
    Request req = form(Map.of("title", "Pets"));
    req.attr(Request.FORM_FILES, List.of(one, cat, two));
    assertEquals(new Entry("Pets", cat, List.of(one, two)), req.form(Entry.class));
    assertEquals(
        new Entry("Pets", null, List.of()), form(Map.of("title", "Pets")).form(Entry.class));
    HttpError error =
        fault(() -> form(Map.of("title", "x", "photo[name]", "/etc/passwd")).form(Entry.class));
    assertEquals("form field \"photo\": expected a file", error.getMessage());
    assertEquals(
        "expected a file",
        expected(() -> form(Map.of("title", "x", "photo", "y")).form(Entry.class)));
    req.attr(Request.FORM_FILES, List.of(new Photo("title[a]", "cat")));
    assertEquals("expected a string", expected(() -> req.form(Entry.class)));
  }

  @Test
  void theParsedFormIsNotChanged() {
    Map<String, Object> page = new HashMap<>(Map.of("number", "1"));
    Request req = form(new HashMap<>(Map.of("page", page, "page[size]", "small")));
    assertEquals(new Page(1, Size.SMALL), req.form(Order.class).page());
    assertEquals(Map.of("number", "1"), page);
  }

  @Test
  void typeArgumentsOfRecordsAreResolved() {
    assertEquals(
        new Pairs(
            new Pair<>(1, List.of(new Page(2, Size.SMALL))),
            Optional.of(new Pair<>(Size.LARGE, List.of(true, false)))),
        query(
            "one[first]=1&one[second][0][number]=2&one[second][0][size]=SMALL"
                + "&other[first]=LARGE&other[second]=on&other[second]=0",
            Pairs.class));
    Request req = form(Map.of("first", "1", "second", List.of("a", "b")));
    assertEquals(new Pair<>(1L, List.of("a", "b")), req.body(new TypeRef<Pair<Long, String>>() {}));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> req.form(Pair.class))
            .getMessage()
            .startsWith("Pair.first: type variable A is unknown"));
  }

  @Test
  void recordsMayContainRecordsOfTheirOwnType() {
    assertEquals(
        new Tree(1, List.of(new Tree(2, List.of(new Tree(3, List.of()))), new Tree(4, List.of()))),
        query(
            "value=1&branches[0][value]=2&branches[0][branches][0][value]=3&branches[1][value]=4",
            Tree.class));
  }

  @Test
  void listsSetsAndArraysContainTypesWithAConversion() {
    Collections all =
        query(
            "numbers=1&numbers=2&sizes=small&names=a&names=b&names=a&grid[0]=1&grid[1][]=2",
            Collections.class);
    assertArrayEquals(new int[] {1, 2}, all.numbers());
    assertArrayEquals(new Size[] {Size.SMALL}, all.sizes());
    assertEquals(Set.of("a", "b"), all.names());
    assertEquals(List.of(List.of(1L), List.of(2L)), all.grid());
    Collections none = query("", Collections.class);
    assertEquals(
        "[] [] [] []",
        Arrays.toString(none.numbers())
            + " "
            + Arrays.toString(none.sizes())
            + " "
            + none.names()
            + " "
            + none.grid());
    assertEquals(
        "Everything.wrong: java.lang.Number has no conversion from text; add one with"
            + " Conversions.SETTING",
        assertThrows(IllegalArgumentException.class, () -> query("", Everything.class))
            .getMessage());
  }

  @Test
  void indicesOfAnySizeDetermineTheOrderOfAList() {
    String query =
        IntStream.of(40, 30, 900000000)
            .mapToObj(i -> "lines[" + i + "][article]=" + i + "&lines[" + i + "][price]=1")
            .collect(Collectors.joining("&", "page[number]=1&page[size]=small&", ""));
    assertEquals(
        List.of("30", "40", "900000000"),
        query(query, Order.class).lines().stream().map(Line::article).toList());
    assertEquals("expected a list", expected(() -> query(query + "&lines[x]=1", Order.class)));
  }

  @Test
  void anyAnnotationNamedNullableMakesAComponentNullable() {
    assertNull(query("number=1", Foreign.class).name());
  }

  @Test
  void aRejectionByAConstructorIsA400WithDetailsForDevelopersOnly() {
    String query = "page[number]=1&page[size]=small&lines[0][article]=a&lines[0][price]=-1";
    HttpError error = fault(() -> query(query, Order.class));
    assertEquals(
        "400 query parameter \"lines[0]\" is invalid", error.status() + " " + error.getMessage());
    assertEquals("price must be positive", assertNotNullCause(error).getMessage());
    FakeExchange local = FakeExchange.of("GET", "/?" + query);
    local.peer = "127.0.0.1";
    assertEquals(
        "query parameter \"lines[0]\" is invalid (price must be positive)",
        fault(() -> local.request().query(Order.class)).getMessage());
  }

  private static Throwable assertNotNullCause(HttpError error) {
    assertNotNull(error.getCause());
    return error.getCause();
  }

  @Test
  void otherExceptionsOfAConstructorAreRethrown() {
    assertEquals(418, fault(() -> query("name=teapot", Picky.class)).status());
    assertThrows(IllegalStateException.class, () -> query("name=down", Picky.class));
  }

  @Test
  void recordsUseConversionsOfTheApplication() {
    Request req = FakeExchange.of("GET", "/?price=3.50").request();
    assertEquals("expected fields inside: cents", expected(() -> req.query(Priced.class)));
    req.settings()
        .set(
            Conversions.SETTING,
            Conversions.standard()
                .with(
                    Money.class,
                    "an amount",
                    text -> new Money(Long.parseLong(text.replace(".", "")))));
    assertEquals(new Priced(new Money(350)), req.query(Priced.class));
  }

  @Test
  void theReaderOfARecordIsCreatedOnce() {
    Conversions conversions = Conversions.standard();
    assertSame(
        conversions.records(Search.class, Search.class),
        conversions.records(Search.class, Search.class));
  }

  @Test
  void theNumberOfReportedErrorsIsLimited() {
    String tags = "text=a&" + "tag=x&".repeat(999);
    HttpError error = fault(() -> query(tags, Search.class));
    assertEquals(50, errors(error).size());
    assertTrue(error.getMessage().endsWith("; and 996 more"), error.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"number", "page", "page[number]", "a[b][c]"})
  void deepAndLongNamesAreHarmless(String name) {
    String deep = name + "[x]".repeat(30_000);
    Request req = form(Map.of(deep, "1", "number", "1", "size", "small"));
    assertEquals(name.equals("number") ? 400 : 200, status(() -> req.form(Page.class)));
    assertEquals(
        name.equals("number") ? 400 : 200,
        status(() -> query(deep + "=1&number=1&size=small", Page.class)));
  }

  private static int status(Executable code) {
    try {
      code.execute();
      return 200;
    } catch (HttpError e) {
      return e.status();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void randomInputIsReadAsARecordOrIsA400() {
    String[] parts = {
      "number",
      "size",
      "page",
      "lines",
      "price",
      "tag",
      "branches",
      "value",
      "[",
      "]",
      "[]",
      "[0]",
      "[1]",
      "=",
      "=",
      "&",
      "&",
      "1",
      "x",
      "-",
      "99999999999",
      "%00",
      "%5B",
      "\u00e9"
    };
    List<Class<? extends Record>> types =
        List.of(
            Page.class,
            Search.class,
            Order.class,
            Tree.class,
            Pairs.class,
            Collections.class,
            Entry.class);
    Random random = new Random(7);
    for (int i = 0; i < 3_000; i++) {
      String query =
          random
              .ints(random.nextInt(30), 0, parts.length)
              .mapToObj(n -> parts[n])
              .collect(Collectors.joining());
      Class<? extends Record> type = types.get(i % types.size());
      Map<String, Object> fields = new HashMap<>();
      for (String part : query.split("&")) {
        fields.put(part.replaceAll("=.*", ""), part.replaceAll("^[^=]*=?", ""));
      }
      for (Executable code :
          List.<Executable>of(() -> query(query, type), () -> form(fields).form(type))) {
        assertTrue(List.of(200, 400).contains(status(code)), query);
      }
    }
  }

  @Test
  void tooManyDigitsAreRejectedBeforeParsing() {
    String digits = "9".repeat(100_000);
    HttpError error = fault(() -> form(Map.of("number", digits, "size", digits)).form(Page.class));
    assertTrue(String.valueOf(error.getMessage()).contains("not \"" + "9".repeat(64) + "\""));
    // The fastest of many runs, since others include waiting for threads and compilation.
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < 200; i++) {
      Request req = form(Map.of("number", digits, "size", digits));
      long before = System.nanoTime();
      fault(() -> req.form(Page.class));
      fault(() -> req.form("number", BigDecimal.class));
      fastest = Math.min(fastest, System.nanoTime() - before);
    }
    assertTrue(fastest < 1_000_000, fastest + " ns");
    assertTrue(URLEncoder.encode(error.getMessage(), StandardCharsets.UTF_8).length() < 1000);
  }

  private static Request form(Map<String, ?> fields) {
    Request req =
        FakeExchange.of("POST", "/", "Content-Type", "application/x-www-form-urlencoded").request();
    RequestControl.body(req, fields);
    return req;
  }

  private static HttpError fault(Executable code) {
    return assertThrows(HttpError.class, code);
  }

  private static String expected(Executable code) {
    return String.valueOf(errors(fault(code)).get(0).get("detail"));
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> errors(HttpError error) {
    return (List<Map<String, Object>>) assertNotNullField(error.field("errors"));
  }

  private static Object assertNotNullField(@Nullable Object field) {
    assertNotNull(field);
    return field;
  }
}
