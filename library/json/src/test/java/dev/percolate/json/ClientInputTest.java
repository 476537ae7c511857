package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.OptBoolean;
import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.FormFile;
import dev.percolate.core.Handler;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** JSON of clients, read with {@code req.body(type)}. */
@SuppressWarnings("ArrayRecordComponent")
final class ClientInputTest {

  record Line(String article, int count, boolean gift) {}

  record Order(
      String customer,
      List<Line> lines,
      Map<String, Line> named,
      @Nullable String note,
      Optional<Line> first,
      Set<String> tags,
      int[] numbers) {}

  record Named(
      @JsonProperty("full-name") String name,
      @JsonAlias("years") int age,
      @JsonProperty(isRequired = OptBoolean.FALSE) String free,
      @JsonSetter(nulls = Nulls.SKIP) String skipped) {}

  record Snake(String firstName, @Nullable String lastName) {}

  record Photo(String field, String path) implements FormFile {

    @Override
    public String name() {
      return path;
    }

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

  record Entry(String title, @Nullable Photo photo) {}

  record Pair<T>(T first, T second) {}

  record Strict(int count) {
    Strict {
      if (count < 1) {
        throw new IllegalArgumentException("count must be positive");
      }
    }
  }

  /** A bean, whose properties are not required. */
  static final class Bean {
    private int size;
    private Line line = new Line("", 0, false);

    public void setSize(int size) {
      this.size = size;
    }

    public void setLine(Line line) {
      this.line = line;
    }

    @Override
    public String toString() {
      return size + " " + line;
    }
  }

  private final Settings settings = new Settings();

  /** Reads a body. Returns the value as text, or the errors, one per line. */
  private String read(String json, TypeRef<?> type) {
    Middleware body =
        (req, res, next) -> {
          JsonCodec codec = req.settings().jsonCodec();
          RequestControl.jsonBody(
              req, codec.parse(json.replace('\'', '"'), JsonCodec.ReadOptions.DEFAULT));
          next.run();
        };
    ErrorHandler shown =
        (error, req, res, next) -> res.send(error instanceof HttpError e ? shown(e) : "" + error);
    Service service =
        Chain.service(settings, body, (Handler) (req, res) -> res.send("" + req.body(type)), shown);
    return Call.post("/").body("{}").to(service).text();
  }

  @SuppressWarnings("unchecked")
  private static String shown(HttpError error) {
    StringBuilder text = new StringBuilder(error.status() + " " + error.type());
    if (error.field("errors") instanceof List<?> errors) {
      for (Map<String, Object> one : (List<Map<String, Object>>) errors) {
        text.append('\n').append(one.get("pointer")).append(' ').append(one.get("detail"));
      }
    }
    return text.toString();
  }

  private static String missing(String... pointers) {
    StringBuilder text = new StringBuilder("400 value.invalid");
    for (String pointer : pointers) {
      text.append('\n').append(pointer).append(" is missing");
    }
    return text.toString();
  }

  private static final String INT = "a whole number from -2147483648 to 2147483647";
  private static final String LONG =
      "a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE;

  @Test
  void allMissingComponentsAreNamedTogether() {
    assertEquals(
        missing(
            "/customer",
            "/lines/0/gift",
            "/lines/1/article",
            "/lines/1/count",
            "/lines/1/gift",
            "/named/a~1b/article",
            "/first/count"),
        read(
            "{'lines':[{'article':'tea','count':1},{'article':null}],"
                + "'named':{'a/b':{'count':2,'gift':true}},"
                + "'first':{'article':'x','gift':false}}",
            new TypeRef<Order>() {}));
    assertEquals(missing("/customer", "/named"), read("{}", new TypeRef<Order>() {}));
    assertEquals(
        missing("/1/article"),
        read(
            "[{'article':'a','count':1,'gift':true},{'count':1,'gift':true}]",
            new TypeRef<List<Line>>() {}));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'customer':'Ann','named':{}}",
        "{'customer':'Ann','named':{},'note':null,'lines':null,'first':null,'tags':null,'numbers':null}"
      })
  void absentListsAndOptionalsAreEmpty(String json) {
    String text = read(json, new TypeRef<Order>() {});
    assertTrue(
        text.startsWith(
            "Order[customer=Ann, lines=[], named={}, note=null, first=Optional.empty, tags=[],"
                + " numbers=[I@"),
        text);
  }

  record Names(List<String> all) implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return all.iterator();
    }
  }

  record Trees(ObjectNode data, ArrayNode items, Names names, Iterable<String> tags) {}

  @Test
  void otherIterableComponentsAreNotEmpty() {
    TypeRef<Trees> type = new TypeRef<>() {};
    assertEquals(missing("/data", "/items", "/names"), read("{}", type));
    assertEquals(
        "Trees[data={\"a\":1}, items=[2], names=Names[all=[x]], tags=[]]",
        read("{'data':{'a':1},'items':[2],'names':{'all':['x']}}", type));
  }

  record Items(List<Line> lines, Map<String, Integer> counts, List<@Nullable String> names) {}

  @Test
  void itemsOfListsAndMapsMustNotBeNull() {
    assertEquals(
        missing("/lines/1", "/counts/b"),
        read(
            "{'lines':[{'article':'a','count':1,'gift':true},null],'counts':{'a':1,'b':null},"
                + "'names':[null]}",
            new TypeRef<Items>() {}));
    assertEquals(
        "Items[lines=[], counts={}, names=[null]]",
        read("{'counts':{},'names':[null]}", new TypeRef<Items>() {}));
  }

  @Test
  void otherFaultsAreNamedWithMissingComponents() {
    assertEquals(
        "400 value.invalid\n/lines/0/count expected "
            + INT
            + "\n/lines/0/gift is missing\n/named is missing",
        read("{'customer':'a','lines':[{'article':'tea','count':'x'}]}", new TypeRef<Order>() {}));
    assertEquals("400 value.invalid\n expected an object", read("[1]", new TypeRef<Order>() {}));
  }

  @Test
  void annotationsOfJacksonTakePrecedence() {
    assertEquals(
        missing("/full-name", "/age", "/skipped"), read("{'name':'x'}", new TypeRef<Named>() {}));
    assertEquals(
        "Named[name=a, age=7, free=null, skipped=null]",
        read("{'full-name':'a','years':7,'skipped':null}", new TypeRef<Named>() {}));
  }

  @Test
  void mappersOfApplicationsKeepTheirNamingStrategy() {
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    settings.set(Settings.JSON_CODEC, JacksonCodec.of(mapper));
    assertEquals(missing("/first_name"), read("{'firstName':'x'}", new TypeRef<Snake>() {}));
    assertEquals(
        "Snake[firstName=x, lastName=null]", read("{'first_name':'x'}", new TypeRef<Snake>() {}));
  }

  @Test
  void beanPropertiesAreOptionalButNotComponentsOfRecordsInBeans() {
    assertEquals("0 Line[article=, count=0, gift=false]", read("{}", new TypeRef<Bean>() {}));
    assertEquals(
        missing("/line/article"), read("{'line':{'count':1,'gift':true}}", new TypeRef<Bean>() {}));
  }

  @Test
  void typeArgumentsOfRecordsAreResolved() {
    assertEquals(
        missing("/second/article"),
        read(
            "{'first':{'article':'a','count':1,'gift':true},'second':{'count':1,'gift':true}}",
            new TypeRef<Pair<Line>>() {}));
  }

  @Test
  void aSettingMakesReadingLenient() {
    settings.set(Settings.JSON_LENIENT, true);
    assertEquals(
        "[Line[article=null, count=0, gift=false]]", read("[{}]", new TypeRef<List<Line>>() {}));
    assertEquals(
        "400 value.invalid\n/count expected " + INT, read("{'count':'x'}", new TypeRef<Line>() {}));
  }

  @Test
  void filesAreNotReadFromJson() {
    String json = "{'title':'x','photo':{'field':'photo','path':'/etc/passwd'}}";
    String rejected = "400 value.invalid\n/photo expected an uploaded file";
    assertEquals(rejected, read(json, new TypeRef<Entry>() {}));
    settings.set(Settings.JSON_LENIENT, true);
    assertEquals(rejected, read(json, new TypeRef<Entry>() {}));
    settings.set(Settings.JSON_CODEC, JacksonCodec.of(JsonMapper.shared()));
    assertEquals(rejected, read(json, new TypeRef<Entry>() {}));
  }

  @Test
  void messagesOfConstructorsAreForDevelopers() {
    TypeRef<List<Strict>> list = new TypeRef<>() {};
    assertEquals(
        "400 value.invalid\n/0 is invalid (count must be positive)", read("[{'count':0}]", list));
    settings.set(Settings.STACK_TRACES, "none");
    assertEquals("400 value.invalid\n/0 is invalid", read("[{'count':0}]", list));
  }

  @Test
  void readingOtherJsonIsLenient() {
    JacksonCodec codec = new JacksonCodec();
    assertEquals(new Line("a", 0, false), codec.read("{\"article\":\"a\"}", Line.class));
  }

  record Prices(BigDecimal exact, double wide) {}

  @Test
  void numbersOutOfRangeAreInvalid() {
    String many = "1" + "0".repeat(600) + "e999999999";
    for (String large : List.of("1e1000000000", "1e-1001", "1e99999999999", many)) {
      assertEquals(
          "400 value.invalid\n/exact expected a number",
          read("{'exact':" + large + ",'wide':1}", new TypeRef<Prices>() {}),
          large);
      assertEquals(
          "400 value.invalid\n expected a number", read(large, new TypeRef<BigDecimal>() {}));
    }
    assertEquals(
        "400 value.invalid\n/wide expected a number",
        read("{'exact':1,'wide':1e999}", new TypeRef<Prices>() {}));
    assertEquals(
        "Prices[exact=1E+1000, wide=1.0]",
        read("{'exact':1e1000,'wide':1}", new TypeRef<Prices>() {}));
  }

  record Trip(@JsonFormat(pattern = "dd.MM.yyyy") LocalDate start, LocalDate end) {}

  @Test
  void theFormatOfTimesIsThatOfTheirComponent() {
    TypeRef<Trip> type = new TypeRef<>() {};
    assertEquals(
        "Trip[start=2026-01-02, end=2026-01-03]",
        read("{'start':'02.01.2026','end':'2026-01-03'}", type));
    for (String start : List.of("'2026-01-02'", "''", "7", "[]")) {
      assertEquals(
          "400 value.invalid\n/start expected text in the format dd.MM.yyyy"
              + "\n/end expected a date such as 2026-01-02",
          read("{'start':" + start + ",'end':'x'}", type),
          start);
    }
    assertEquals(missing("/start"), read("{'start':null,'end':'2026-01-03'}", type));
  }

  record Account(
      @JsonFormat(shape = JsonFormat.Shape.STRING) long id,
      @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
      @JsonFormat(shape = JsonFormat.Shape.STRING) @Nullable Double rate,
      @JsonSerialize(using = ToStringSerializer.class) Long owner,
      int plain) {}

  @Test
  void numbersThatAreWrittenAsStringsAreReadFromStrings() {
    TypeRef<Account> type = new TypeRef<>() {};
    Account account = new Account(9007199254740993L, new BigDecimal("2.50"), 0.5, 8L, 3);
    String json = "{'id':'9007199254740993','amount':'2.50','rate':'0.5','owner':'8','plain':3}";
    assertEquals(
        json.replace('\'', '"'), new JacksonCodec().write(account, JsonCodec.WriteOptions.COMPACT));
    assertEquals(account.toString(), read(json, type));
    assertEquals(account.toString(), read(json.replaceAll("'([0-9.]+)'", "$1"), type));
    for (String id : List.of("'x'", "''", "'1.5'", "'[1]'", "'9223372036854775808'")) {
      assertEquals(
          "400 value.invalid\n/id expected " + LONG,
          read(json.replace("'9007199254740993'", id), type),
          id);
    }
    assertEquals(
        "400 value.invalid\n/plain expected " + INT, read(json.replace(":3", ":'3'"), type));
  }

  @Test
  void pointersAreNotEscapedForLogs() {
    assertEquals(
        "400 value.invalid\n/a\"b\\c\u200Dd expected " + INT,
        read("{'a\\\"b\\\\c\u200Dd':'x'}", new TypeRef<Map<String, Integer>>() {}));
  }

  @Test
  void longNamesOfClientsAreTruncated() {
    String name = "n".repeat(10_000);
    String text =
        read(
            "{'customer':'a','named':{'" + name + "':{'count':1,'gift':true}}}",
            new TypeRef<Order>() {});
    assertTrue(text.length() < 1_000, text);
    assertTrue(text.contains("nn…/article"), text);
  }
}
