package dev.percolate.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo.As;
import com.fasterxml.jackson.annotation.Nulls;
import dev.percolate.core.InputErrors;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.ReferenceTypeDeserializer;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.util.ClassUtil;

/**
 * Finds all invalid values in JSON that Jackson has rejected; Jackson itself stops at the first
 * one.
 *
 * <p>It visits the JSON with the deserializers that have read it, and reads each value without
 * parts again. So it rejects exactly what reading rejects. It does not call constructors of records
 * again.
 */
final class InvalidValues {

  private final DeserializationContext context;
  private final TapeContext reader;
  private final JsonTape tape;
  private final Function<Object, @Nullable Object> written;
  private final InputErrors errors;
  private final int mostLevels;
  private int level;
  private boolean rejected;

  private InvalidValues(
      DeserializationContext context,
      TapeContext reader,
      JsonTape tape,
      Function<Object, @Nullable Object> written,
      InputErrors errors) {
    this.context = context;
    this.reader = reader;
    this.tape = tape;
    this.written = written;
    this.errors = errors;
    this.mostLevels = reader.streamReadConstraints().getMaxNestingDepth();
  }

  /**
   * Adds the invalid values that it finds to the errors.
   *
   * @return true if code of the type has rejected a value without parts
   */
  static boolean add(
      TapeContext reader,
      JsonTape tape,
      JavaType type,
      Function<Object, @Nullable Object> written,
      InputErrors errors) {
    if (reader.mapper().isEnabled(DeserializationFeature.UNWRAP_ROOT_VALUE)) {
      return false; // the value is nested in a wrapper
    }
    Boolean rejected =
        WithContext.call(
            reader.mapper(),
            context -> {
              InvalidValues values = new InvalidValues(context, reader, tape, written, errors);
              ValueDeserializer<?> root = context.findContextualValueDeserializer(type, null);
              Place whole = new Place(type, null, root, null, errors.lenient());
              values.check(0, whole.typed(context), "");
              return values.rejected;
            });
    return Boolean.TRUE.equals(rejected);
  }

  /**
   * Returns true if a list or map contains null where its type does not allow it. Only for lists
   * and maps that are not properties: for properties, Jackson checks this.
   */
  static boolean holdsNull(JsonTape tape, int token, JavaType type) {
    JavaType content = type.getContentType();
    byte first = tape.first(token);
    if (content == null || (first != '{' && first != '[') || type.isReferenceType()) {
      return false;
    }
    int item = token + JsonTape.SIZE;
    while (item < tape.close(token)) {
      item += first == '{' ? JsonTape.SIZE : 0;
      if (tape.first(item) == 'n' ? !hasNull(content) : holdsNull(tape, item, content)) {
        return true;
      }
      item = tape.after(item);
    }
    return false;
  }

  /** Returns true if null is a value of the type. */
  private static boolean hasNull(JavaType type) {
    return type.isReferenceType()
        || type.isJavaLangObject()
        || type.isTypeOrSubTypeOf(JsonNode.class);
  }

  /**
   * How values at one place are read.
   *
   * @param type the type of the values
   * @param property the property that they are part of; null for the whole value
   * @param deserializer the deserializer
   * @param typing reads type names in the values; null if there are none
   * @param holdsNull whether the values may contain null
   */
  private record Place(
      JavaType type,
      @Nullable BeanProperty property,
      ValueDeserializer<?> deserializer,
      @Nullable TypeDeserializer typing,
      boolean holdsNull) {

    static Place of(SettableBeanProperty property) {
      return new Place(
          property.getType(),
          property,
          property.getValueDeserializer(),
          property.getValueTypeDeserializer(),
          property.getMetadata().getContentNulls() != Nulls.FAIL);
    }

    /** Returns the place of the items of values at this place. */
    Place inner(
        JavaType content, @Nullable ValueDeserializer<?> known, DeserializationContext context) {
      ValueDeserializer<?> found =
          known == null ? context.findContextualValueDeserializer(content, property) : known;
      return new Place(content, property, found, null, holdsNull).typed(context);
    }

    Place typed(DeserializationContext context) {
      TypeDeserializer found = context.findTypeDeserializer(type);
      TypeDeserializer here = found == null ? null : found.forProperty(property);
      return new Place(type, property, deserializer, here, holdsNull);
    }

    ValueDeserializer<?> worker() {
      return ReadObject.innermost(deserializer);
    }
  }

  /** Checks a value and its parts, unless they nest deeper than the mapper's limit. */
  private void check(int token, Place place, String at) {
    if (errors.isFull() || level >= mostLevels) {
      return;
    }
    level++;
    checkParts(token, place, at);
    level--;
  }

  private void checkParts(int token, Place place, String at) {
    ValueDeserializer<?> worker = place.worker();
    byte first = tape.first(token);
    boolean list = first == '[' && isList(place.type(), worker);
    boolean map = first == '{' && place.type().isMapLikeType() && isContainer(worker);
    if (worker instanceof ReferenceTypeDeserializer) {
      if (first != 'n') {
        check(token, place.inner(place.type().getReferencedType(), null, context), at);
      }
    } else if (list || map) {
      items(token, place, map, at);
    } else if (place.typing() != null) {
      typed(token, place, place.typing(), at);
    } else if (first == '{' && worker instanceof BeanDeserializerBase bean && hasParts(bean)) {
      properties(token, bean, at);
    } else {
      read(token, place, at);
    }
  }

  private static boolean hasParts(BeanDeserializerBase bean) {
    return !bean.getValueInstantiator().canCreateUsingDelegate();
  }

  private static boolean isList(JavaType type, ValueDeserializer<?> worker) {
    Class<?> raw = type.getRawClass();
    return type.isContainerType()
        && !type.isMapLikeType()
        && raw != byte[].class
        && raw != char[].class
        && isContainer(worker);
  }

  private static boolean isContainer(ValueDeserializer<?> worker) {
    return worker instanceof ContainerDeserializerBase<?> || ClassUtil.isJacksonStdImpl(worker);
  }

  private void items(int token, Place place, boolean map, String at) {
    ValueDeserializer<?> known =
        place.worker() instanceof ContainerDeserializerBase<?> container
            ? container.getContentDeserializer()
            : null;
    Place inner = place.inner(place.type().getContentType(), known, context);
    boolean nulls =
        place.property() == null ? errors.lenient() || hasNull(inner.type()) : place.holdsNull();
    int item = token + JsonTape.SIZE;
    for (int i = 0; item < tape.close(token) && !errors.isFull(); i++) {
      String pointer = at + "/" + i;
      if (map) {
        String name = tape.name(item);
        pointer = at + TypeMismatch.pointerStep(name);
        key(name, place, pointer);
        item += JsonTape.SIZE;
      }
      if (tape.first(item) == 'n' && !nulls) {
        errors.missing(pointer);
      } else {
        check(item, inner, pointer);
      }
      item = tape.after(item);
    }
  }

  private void key(String name, Place place, String at) {
    try {
      Object ignored =
          context
              .findKeyDeserializer(place.type().getKeyType(), place.property())
              .deserializeKey(name, context);
    } catch (JacksonException e) {
      note(e, at);
    }
  }

  private void properties(int token, BeanDeserializerBase bean, String at) {
    Map<String, Integer> sent = entries(token);
    for (SettableBeanProperty property : ReadProperty.of(bean).values()) {
      String name = property.getName();
      for (String alias : ReadProperty.aliases(property, context)) {
        name = sent.containsKey(name) ? name : alias;
      }
      Integer value = sent.get(name);
      String pointer = at + TypeMismatch.pointerStep(value == null ? property.getName() : name);
      boolean missing =
          value == null
              ? ReadProperty.isRequired(property, context)
              : tape.first(value) == 'n' && !ReadProperty.takesNull(property, context);
      if (missing) {
        errors.missing(pointer);
      } else if (value != null && tape.first(value) != 'n') {
        check(value, Place.of(property), pointer);
      }
    }
  }

  /** Returns the values of an object by name. */
  private Map<String, Integer> entries(int token) {
    Map<String, Integer> entries = new HashMap<>();
    int name = token + JsonTape.SIZE;
    while (name < tape.close(token)) {
      int value = name + JsonTape.SIZE;
      entries.put(tape.name(name), value);
      name = tape.after(value);
    }
    return entries;
  }

  /** Checks a value that contains the name of its type. */
  private void typed(int token, Place place, TypeDeserializer typing, String at) {
    String property = typing.getPropertyName();
    boolean named =
        typing.getTypeInclusion() == As.PROPERTY
            || typing.getTypeInclusion() == As.EXISTING_PROPERTY;
    if (!named || property == null || tape.first(token) != '{' || typing.getDefaultImpl() != null) {
      read(token, place, at);
      return;
    }
    String pointer = at + TypeMismatch.pointerStep(property);
    Integer name = entries(token).get(property);
    if (name == null) {
      errors.missing(pointer);
      return;
    }
    JavaType actual = tape.first(name) == '"' ? named(typing, tape.string(name)) : null;
    if (actual == null) {
      errors.invalid(pointer, Expectation.ofTypeNames(typing.getTypeIdResolver()), null);
      return;
    }
    JavaType narrowed = context.constructSpecializedType(place.type(), actual.getRawClass());
    ValueDeserializer<?> found =
        context.findContextualValueDeserializer(narrowed, place.property());
    check(token, new Place(narrowed, place.property(), found, null, place.holdsNull()), at);
  }

  private @Nullable JavaType named(TypeDeserializer typing, String id) {
    try {
      return typing.getTypeIdResolver().typeFromId(context, id);
    } catch (JacksonException e) {
      return null;
    }
  }

  /** Reads a value and records its errors. */
  private void read(int token, Place place, String at) {
    TapeParser parser = new TapeParser(tape, token, reader);
    JsonToken first = parser.nextToken();
    try {
      Object ignored =
          first == JsonToken.VALUE_NULL
              ? place.deserializer().getNullValue(context)
              : place.typing() == null
                  ? place.deserializer().deserialize(parser, context)
                  : place.deserializer().deserializeWithType(parser, context, place.typing());
    } catch (JacksonException e) {
      String pattern = pattern(place);
      if (pattern.isEmpty() || first == JsonToken.VALUE_NULL) {
        note(e, at);
      } else {
        errors.invalid(at, "text in the format " + pattern, null);
      }
    } catch (IllegalArgumentException e) { // thrown by a deserializer of the application
      rejected = true;
      errors.rejected(at, e);
    }
  }

  /** Returns the pattern of times at a place; empty if they have the format of their type. */
  private String pattern(Place place) {
    BeanProperty property = place.property();
    Class<?> type = place.type().getRawClass();
    return property == null || !ScalarGuard.isTime(type)
        ? ""
        : property.findPropertyFormat(context.getConfig(), type).getPattern();
  }

  private void note(JacksonException failure, String at) {
    rejected |= TypeMismatch.note(failure, at, written, errors);
  }
}
