package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIgnoreType;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.OptBoolean;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.framework.App;
import dev.percolate.json.JacksonCodec;
import dev.percolate.testkit.Call;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * The same bodies are accepted by {@code req.body(type)}, by a described route and by its document.
 */
@SuppressWarnings({"ArrayRecordComponent", "UnusedVariable"})
class OneDescriptionTest {

  record Line(String article, int count) {}

  // Components that Jackson ignores.
  record Ignored(String name, @JsonIgnore String secret) {}

  record IgnoredPrimitive(String name, @JsonIgnore int secret) {}

  @JsonIgnoreProperties("secret")
  record IgnoredByName(String name, String secret) {}

  @JsonIncludeProperties("name")
  record NotIncluded(String name, String secret) {}

  @JsonIgnoreType
  record Internal(String x) {}

  record IgnoredType(String name, Internal secret) {}

  record ListOfIgnored(List<Ignored> list, Map<String, Ignored> map) {}

  // Components under other names.
  record Aliased(@JsonAlias({"years", "old"}) int age, @JsonAlias("nick") @Nullable String name) {}

  record Renamed(@JsonProperty("full-name") String name) {}

  // Optional components.
  record Lacking(
      @Nullable String nullable,
      Optional<String> optional,
      @JsonProperty(isRequired = OptBoolean.FALSE) String free,
      @JsonProperty(isRequired = OptBoolean.FALSE) int freeNumber,
      @JsonSetter(nulls = Nulls.SKIP) String skipped) {}

  // Read-only and write-only components.
  record ReadOnly(String name, @JsonProperty(access = Access.READ_ONLY) String id) {}

  record WriteOnly(String name, @JsonProperty(access = Access.WRITE_ONLY) String password) {}

  // Creators.
  record Named(String first, String last) {
    @JsonCreator
    static Named of(@JsonProperty("first") String first, @JsonProperty("last") String last) {
      return new Named(first, last);
    }
  }

  record Demanding(String first, String last) {
    @JsonCreator
    static Demanding of(
        @JsonProperty(value = "first", required = true) String first,
        @JsonProperty("last") String last) {
      return new Demanding(first, last);
    }
  }

  record Email(@JsonValue String text) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    Email {}
  }

  record HasEmail(Email email) {}

  record Unwrapped(String name, @JsonUnwrapped Line line) {}

  // Containers.
  record Arrays(byte[] bytes, char[] chars, int[] numbers, String[] texts, Line[] lines) {}

  record Bytes(byte[] raw) {}

  record Chars(char[] raw) {}

  record Maps(Map<String, Line> lines, SortedMap<String, Integer> sorted) {}

  record Lists(
      List<Line> lines,
      Set<String> tags,
      List<@Nullable String> gaps,
      List<List<Integer>> grid,
      List<Optional<String>> maybe,
      Map<String, List<Line>> groups) {}

  record Anything(Object anything, JsonNode tree, Map<String, Object> values, List<Object> list) {}

  // Generics.
  record Box<T>(T value, List<T> more) {}

  record Boxes(Box<Line> line, Box<String> text, Box<List<Integer>> numbers) {}

  record Tree(String name, List<Tree> children, @Nullable Tree parent) {}

  record Scalars(
      int whole,
      double wide,
      BigDecimal exact,
      boolean yes,
      String text,
      char sign,
      UUID id,
      URI link,
      Instant time,
      LocalDate date,
      Duration length,
      Size size) {}

  enum Size {
    @JsonProperty("small")
    SMALL,
    LARGE
  }

  private static final String SCALARS =
      "{'whole':1,'wide':1.5,'exact':2.50,'yes':true,'text':'x','sign':'c',"
          + "'id':'a9cb4b1e-3a52-4a35-90a5-1a0b4a3c9d11','link':'/a','time':'2026-01-02T03:04:05Z',"
          + "'date':'2026-01-02','length':'PT1H','size':'small'}";

  /** A bean that Jackson reads. */
  public static final class Bean {
    private @Nullable String name;
    private int size;
    private List<Line> lines = List.of();

    public @Nullable String getName() {
      return name;
    }

    public void setName(@Nullable String name) {
      this.name = name;
    }

    public int getSize() {
      return size;
    }

    public void setSize(int size) {
      this.size = size;
    }

    public List<Line> getLines() {
      return lines;
    }

    public void setLines(List<Line> lines) {
      this.lines = lines;
    }
  }

  private final Judges judges = new Judges();

  @Test
  void ignoredComponentsAreNeitherWrittenNorRequired() {
    for (TypeRef<?> type :
        List.of(
            new TypeRef<Ignored>() {},
            new TypeRef<IgnoredPrimitive>() {},
            new TypeRef<IgnoredByName>() {},
            new TypeRef<NotIncluded>() {},
            new TypeRef<IgnoredType>() {})) {
      judges.takes(
          type, "{'name':'a'}", "{'name':'a','secret':null}", "{'name':'a','secret':{'x':'y'}}");
      judges.rejects(type, "{}", "{'secret':'x'}", "{'name':null}");
      assertEquals(
          Set.of("name"),
          Judges.properties(type, ((Class<?>) type.type()).getSimpleName()).keySet());
    }
    judges.takes(
        new TypeRef<ListOfIgnored>() {}, "{'list':[{'name':'a'}],'map':{'b':{'name':'a'}}}");
    judges.rejects(new TypeRef<ListOfIgnored>() {}, "{'list':[{}],'map':{}}", "{'map':{'b':{}}}");
  }

  @Test
  void aliasesAreAcceptedForTheName() {
    TypeRef<?> type = new TypeRef<Aliased>() {};
    judges.takes(type, "{'age':1}", "{'years':1}", "{'old':1,'nick':'x'}", "{'age':1,'name':null}");
    judges.rejects(type, "{}", "{'years':'x'}", "{'years':null}", "{'age':1,'nick':2}");
    judges.takes(new TypeRef<Renamed>() {}, "{'full-name':'x'}");
    judges.rejects(new TypeRef<Renamed>() {}, "{'name':'x'}");
  }

  @Test
  void optionalComponentsMayBeAbsentOrNull() {
    TypeRef<?> type = new TypeRef<Lacking>() {};
    judges.takes(
        type,
        "{'skipped':'x'}",
        "{'skipped':null,'nullable':null,'optional':null,'free':null}",
        "{'skipped':'x','free':'y','freeNumber':1}");
    judges.rejects(type, "{}", "{'skipped':'x','nullable':1}", "{'skipped':'x','freeNumber':null}");
  }

  @Test
  void oneWayComponentsAreRequiredInOneDirectionOnly() {
    judges.takes(new TypeRef<ReadOnly>() {}, "{'name':'a'}", "{'name':'a','id':'x'}");
    judges.rejects(new TypeRef<ReadOnly>() {}, "{'id':'x'}");
    assertEquals(
        true,
        RandomBodies.map(Judges.properties(new TypeRef<ReadOnly>() {}, "ReadOnly").get("id"))
            .get("readOnly"));
    judges.takes(new TypeRef<WriteOnly>() {}, "{'name':'a','password':'x'}");
    judges.rejects(new TypeRef<WriteOnly>() {}, "{'name':'a'}");
  }

  @Test
  void creatorsDecideWhatMayBeAbsent() {
    judges.takes(new TypeRef<Named>() {}, "{'first':'a'}", "{}", "{'first':null,'last':'b'}");
    judges.rejects(new TypeRef<Named>() {}, "{'first':1}");
    judges.takes(new TypeRef<Demanding>() {}, "{'first':'a'}", "{'first':'a','last':null}");
    judges.rejects(new TypeRef<Demanding>() {}, "{}", "{'last':'b'}");
    judges.takes(new TypeRef<HasEmail>() {}, "{'email':'a@b'}");
    judges.rejects(new TypeRef<HasEmail>() {}, "{'email':{'text':'a@b'}}", "{}", "{'email':7}");
  }

  @Test
  void unwrappedComponentsAreRead() {
    TypeRef<?> type = new TypeRef<Unwrapped>() {};
    judges.takes(type, "{'name':'a','article':'tea','count':1}");
    judges.rejects(type, "{'article':'tea','count':1}", "{'name':'a','article':'tea','count':'x'}");
  }

  @Test
  void arraysAreListsExceptThoseOfBytesAndCharacters() {
    TypeRef<?> type = new TypeRef<Arrays>() {};
    judges.takes(
        type,
        "{'bytes':'AQID','chars':'abc'}",
        "{'bytes':'','chars':'','numbers':[1],'texts':['a'],'lines':[{'article':'a','count':1}]}",
        "{'bytes':'','chars':'','numbers':null,'texts':null,'lines':null}");
    judges.rejects(
        type,
        "{}",
        "{'bytes':[1],'chars':''}",
        "{'bytes':'','chars':['a']}",
        "{'bytes':'','chars':'','numbers':[null]}",
        "{'bytes':'','chars':'','texts':[null]}",
        "{'bytes':'','chars':'','lines':[null]}",
        "{'bytes':'','chars':'','numbers':['1']}");
    judges.rejects(new TypeRef<Bytes>() {}, "{}", "{'raw':null}", "{'raw':7}");
    judges.rejects(new TypeRef<Chars>() {}, "{}", "{'raw':null}");
  }

  @Test
  void mapsAreRequiredAndContainNoNull() {
    TypeRef<?> type = new TypeRef<Maps>() {};
    judges.takes(type, "{'lines':{},'sorted':{'a':1}}");
    judges.rejects(
        type,
        "{}",
        "{'lines':{}}",
        "{'lines':null,'sorted':{}}",
        "{'lines':{'a':null},'sorted':{}}",
        "{'lines':{},'sorted':{'a':null}}",
        "{'lines':{},'sorted':[]}");
  }

  @Test
  void listsMayBeAbsentAndContainNullOnlyIfDeclared() {
    TypeRef<?> type = new TypeRef<Lists>() {};
    judges.takes(
        type,
        "{'groups':{}}",
        "{'groups':{},'lines':null,'tags':null,'gaps':[null,'a'],'grid':[[1],[]],'maybe':[null]}",
        "{'groups':{'a':[{'article':'b','count':1}]}}",
        "{'groups':{},'tags':['a','a']}");
    judges.rejects(
        type,
        "{'groups':{},'lines':[null]}",
        "{'groups':{},'grid':[null]}",
        "{'groups':{},'grid':[[null]]}",
        "{'groups':{'a':null}}",
        "{'groups':{'a':[null]}}",
        "{'groups':{},'lines':{}}");
  }

  @Test
  void anythingMayBeNullButNotAbsent() {
    TypeRef<?> type = new TypeRef<Anything>() {};
    judges.takes(
        type,
        "{'anything':null,'tree':null,'values':{'a':null},'list':[null]}",
        "{'anything':[1],'tree':{},'values':{'a':{}}}");
    judges.rejects(
        type, "{'tree':1,'values':{}}", "{'anything':1,'values':{}}", "{'anything':1,'tree':1}");
  }

  @Test
  void typeArgumentsAreChecked() {
    TypeRef<?> line = new TypeRef<Box<Line>>() {};
    judges.takes(line, "{'value':{'article':'a','count':1}}");
    judges.rejects(line, "{'value':{'article':'a'}}", "{'value':null}", "{'value':7}");
    judges.rejects(line, "{'value':{'article':'a','count':1},'more':[null]}");
    TypeRef<?> object = new TypeRef<Box<Object>>() {};
    judges.takes(object, "{'value':1,'more':['x']}");
    judges.rejects(object, "{'value':null}", "{}");
    judges.takes(
        new TypeRef<Boxes>() {},
        "{'line':{'value':{'article':'a','count':1}},'text':{'value':'x'},'numbers':{'value':[1]}}");
    judges.rejects(
        new TypeRef<Boxes>() {},
        "{'line':{'value':'x'},'text':{'value':'x'},'numbers':{'value':[1]}}",
        "{'line':{'value':{'article':'a','count':1}},'text':{'value':1},'numbers':{'value':[1]}}");
    TypeRef<?> tree = new TypeRef<Tree>() {};
    judges.takes(tree, "{'name':'a','children':[{'name':'b','parent':null}]}");
    judges.rejects(tree, "{'name':'a','children':[{}]}", "{'name':'a','parent':{}}");
  }

  @Test
  void wholeBodiesMayBeListsAndMaps() {
    judges.takes(new TypeRef<List<Line>>() {}, "[]", "[{'article':'a','count':1}]");
    judges.rejects(new TypeRef<List<Line>>() {}, "[null]", "{}", "[{}]");
    judges.takes(new TypeRef<Map<String, List<Line>>>() {}, "{}", "{'a':[]}");
    judges.rejects(new TypeRef<Map<String, List<Line>>>() {}, "{'a':null}", "{'a':[null]}", "[]");
    judges.takes(new TypeRef<List<Optional<String>>>() {}, "[null,'a']");
    judges.takes(new TypeRef<List<Object>>() {}, "[null,1]");
  }

  @Test
  void valuesMustHaveTheDocumentedTypes() {
    TypeRef<?> type = new TypeRef<Scalars>() {};
    judges.takes(type, SCALARS, SCALARS.replace("'whole':1", "'whole':1.0"));
    judges.takes(type, SCALARS.replace("'wide':1.5", "'wide':2"));
    for (String[] change :
        new String[][] {
          {"'whole':1", "'whole':'1'"},
          {"'whole':1", "'whole':1.5"},
          {"'whole':1", "'whole':true"},
          {"'wide':1.5", "'wide':'1.5'"},
          {"'wide':1.5", "'wide':'NaN'"},
          {"'exact':2.50", "'exact':'2.5'"},
          {"'yes':true", "'yes':'true'"},
          {"'yes':true", "'yes':1"},
          {"'text':'x'", "'text':7"},
          {"'text':'x'", "'text':true"},
          {"'text':'x'", "'text':[]"},
          {"'sign':'c'", "'sign':99"},
          {"'id':'a9cb4b1e-3a52-4a35-90a5-1a0b4a3c9d11'", "'id':7"},
          {"'link':'/a'", "'link':7"},
          {"'time':'2026-01-02T03:04:05Z'", "'time':1767323045"},
          {"'date':'2026-01-02'", "'date':[2026,1,2]"},
          {"'length':'PT1H'", "'length':3600"},
          {"'size':'small'", "'size':0"},
          {"'size':'small'", "'size':'SMALL'"},
        }) {
      judges.rejects(type, SCALARS.replace(change[0], change[1]));
    }
  }

  @Test
  void beansAreLeftToJackson() {
    TypeRef<?> type = new TypeRef<Bean>() {};
    judges.takes(
        type, "{}", "{'name':null}", "{'lines':null}", "{'size':1,'name':'a','lines':[null]}");
    judges.rejects(type, "{'size':null}", "{'size':'1'}", "{'lines':[{}]}", "{'name':7}");
  }

  record Formatted(
      @JsonFormat(pattern = "dd.MM.yyyy") LocalDate day,
      @JsonFormat(pattern = "dd.MM.yyyy") List<LocalDate> days,
      @JsonFormat(shape = JsonFormat.Shape.NUMBER) Instant time,
      @JsonFormat(shape = JsonFormat.Shape.STRING) long id,
      @JsonSerialize(using = ToStringSerializer.class) @Nullable Long owner,
      @JsonFormat(shape = JsonFormat.Shape.STRING) @Nullable BigDecimal price) {}

  @Test
  void formatsOfComponentsAreDescribed() {
    TypeRef<?> type = new TypeRef<Formatted>() {};
    String json =
        "{'day':'02.01.2026','days':['03.01.2026'],'time':1,'id':'7','owner':'8','price':'2.50'}";
    judges.takes(type, json, "{'day':'02.01.2026','time':1,'id':'7'}");
    judges.rejects(
        type,
        json.replace("'02.01.2026'", "2"),
        json.replace("'03.01.2026'", "3"),
        json.replace("'time':1", "'time':true"),
        json.replace("'7'", "true"),
        json.replace("'8'", "true"),
        json.replace("'2.50'", "[]"));
    assertEquals(Map.of("type", "string"), Judges.properties(type, "Formatted").get("day"));
    LocalDate day = LocalDate.of(2026, 1, 2);
    Formatted sent = new Formatted(day, List.of(day), Instant.EPOCH, 7, 8L, new BigDecimal("2.50"));
    App app = new App();
    app.get("/", Api.of("x").response(200, Formatted.class), (req, res) -> res.json(sent));
    assertEquals(200, Call.get("/").to(app).status());
  }

  record Snake(String firstName, @JsonAlias("nick") @Nullable String lastName) {}

  @Test
  void mappersOfApplicationsAreUsed() {
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    judges.settings = app -> app.set(Settings.JSON_CODEC, JacksonCodec.of(mapper));
    judges.takes(new TypeRef<Snake>() {}, "{'first_name':'a'}", "{'first_name':'a','nick':'b'}");
    judges.rejects(
        new TypeRef<Snake>() {}, "{'firstName':'a'}", "{'first_name':7}", "{'first_name':null}");
  }

  @Test
  void numbersThatMappersWriteAsStringsAreStrings() {
    SimpleModule texts = new SimpleModule().addSerializer(Long.class, ToStringSerializer.instance);
    JsonMapper mapper = JsonMapper.builder().addModule(texts).build();
    judges.settings = app -> app.set(Settings.JSON_CODEC, JacksonCodec.of(mapper));
    judges.takes(new TypeRef<Box<Long>>() {}, "{'value':'7','more':['8']}");
    judges.rejects(new TypeRef<Box<Long>>() {}, "{'value':true}", "{'value':'7','more':[[]]}");
    judges.rejects(new TypeRef<Box<Integer>>() {}, "{'value':'7'}");
  }

  @Test
  void aLenientApplicationIsDescribedAsSuch() {
    judges.settings = app -> app.set(Settings.JSON_LENIENT, true);
    judges.takes(new TypeRef<Line>() {}, "{}", "{'article':null,'count':1}");
    judges.rejects(new TypeRef<Line>() {}, "{'count':{}}");
  }

  record Limited(
      @jakarta.validation.constraints.Size(min = 3, max = 50) @NotBlank String a,
      @NotBlank @jakarta.validation.constraints.Size(min = 3) String b,
      @Pattern(regexp = "[a-z]+") @NotBlank String c,
      @Pattern(regexp = "[a-z]+", flags = Pattern.Flag.CASE_INSENSITIVE) String d,
      @Min(5) @PositiveOrZero int e) {}

  @Test
  void theStrictestOfSeveralConstraintsIsDescribed() {
    Map<String, Object> all = Judges.properties(new TypeRef<Limited>() {}, "Limited");
    assertEquals("3", "" + RandomBodies.map(all.get("a")).get("minLength"));
    assertEquals("3", "" + RandomBodies.map(all.get("b")).get("minLength"));
    assertEquals("^(?:[a-z]+)$", RandomBodies.map(all.get("c")).get("pattern"));
    assertFalse(RandomBodies.map(all.get("d")).containsKey("pattern"));
    assertEquals("5", "" + RandomBodies.map(all.get("e")).get("minimum"));
  }

  @Test
  void addressesAreStrings() {
    judges.takes(new TypeRef<Box<URL>>() {}, "{'value':'https://example.org/'}");
    judges.rejects(new TypeRef<Box<URL>>() {}, "{'value':7}");
    assertFalse(judges.of(new TypeRef<Box<URL>>() {}, "{'value':''}").startsWith("takes"));
  }
}
