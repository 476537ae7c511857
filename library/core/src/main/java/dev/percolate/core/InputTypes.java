package dev.percolate.core;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates the readers of records and of the types of their components. */
final class InputTypes {

  /** The maximum nesting. A type that exceeds it is assumed to be infinite. */
  private static final int MOST_NESTED = 100;

  private final Function<Class<?>, @Nullable Conversion> conversions;
  private final Map<Bound, RecordType> records = new HashMap<>();
  private int depth;

  /**
   * A type, and the types of its variables.
   *
   * @param type the type
   * @param variables the type of each variable
   */
  private record Bound(Type type, Map<TypeVariable<?>, Bound> variables) {}

  private InputTypes(Function<Class<?>, @Nullable Conversion> conversions) {
    this.conversions = conversions;
  }

  /**
   * Creates the reader of a type.
   *
   * @param type the type
   * @param conversions returns the conversion of a class; null if it has none
   * @throws IllegalArgumentException if no input can be read as this type
   */
  static InputType of(Type type, Function<Class<?>, @Nullable Conversion> conversions) {
    return new InputTypes(conversions).read(new Bound(type, Map.of()), type.getTypeName());
  }

  private InputType read(Bound bound, String at) {
    Bound known = resolved(bound);
    Class<?> raw = raw(known, at);
    if (FormFile.class.isAssignableFrom(raw)) {
      return new FileType(raw);
    }
    Conversion conversion = conversions.apply(raw);
    if (conversion != null) {
      return new TextType(conversion, raw == String.class);
    }
    if (raw == Optional.class) {
      return new OptionalType(read(argument(known, at), at));
    }
    if (raw.isArray()) {
      Bound item =
          known.type() instanceof GenericArrayType array
              ? new Bound(array.getGenericComponentType(), known.variables())
              : new Bound(raw.getComponentType(), Map.of());
      return new ListType(read(item, at), items -> array(items, raw.getComponentType()));
    }
    if (raw == Set.class) {
      return new ListType(
          read(argument(known, at), at),
          items -> Collections.unmodifiableSet(new LinkedHashSet<>(items)));
    }
    if (raw == List.class || raw == Collection.class || raw == Iterable.class) {
      return new ListType(read(argument(known, at), at), List::copyOf);
    }
    if (raw.isRecord()) {
      return record(known, raw, at);
    }
    throw new IllegalArgumentException(
        at
            + ": "
            + raw.getName()
            + " has no conversion from text; add one with Conversions.SETTING");
  }

  private RecordType record(Bound bound, Class<?> raw, String at) {
    Bound key = new Bound(raw, arguments(bound, raw));
    RecordType known = records.get(key);
    if (known != null) {
      return known;
    }
    if (++depth > MOST_NESTED) {
      throw new IllegalArgumentException(at + ": its types are nested infinitely");
    }
    RecordType made = new RecordType(RecordComponents.constructor(raw));
    records.put(key, made);
    List<RecordType.Component> components = new ArrayList<>();
    for (RecordComponent part : raw.getRecordComponents()) {
      String place = raw.getSimpleName() + "." + part.getName();
      InputType type = read(new Bound(part.getGenericType(), key.variables()), place);
      boolean nullable = RecordComponents.isNullable(part);
      if (nullable && part.getType().isPrimitive()) {
        throw new IllegalArgumentException(place + ": a primitive type cannot be nullable");
      }
      components.add(new RecordType.Component(part.getName(), type, nullable));
    }
    made.components(components);
    depth--;
    return made;
  }

  /** Replaces variables and wildcards by the types that they stand for. */
  private static Bound resolved(Bound bound) {
    if (bound.type() instanceof TypeVariable<?> variable) {
      Bound value = bound.variables().get(variable);
      return value == null ? bound : resolved(value);
    }
    if (bound.type() instanceof WildcardType wildcard) {
      return resolved(new Bound(wildcard.getUpperBounds()[0], bound.variables()));
    }
    return bound;
  }

  private static Class<?> raw(Bound bound, String at) {
    if (bound.type() instanceof Class<?> plain) {
      return plain;
    }
    if (bound.type() instanceof ParameterizedType parameterized) {
      return (Class<?>) parameterized.getRawType();
    }
    if (bound.type() instanceof GenericArrayType array) {
      Bound item = resolved(new Bound(array.getGenericComponentType(), bound.variables()));
      return raw(item, at).arrayType();
    }
    throw new IllegalArgumentException(
        at + ": type variable " + bound.type() + " is unknown; use new TypeRef<…>() {}");
  }

  private static Map<TypeVariable<?>, Bound> arguments(Bound bound, Class<?> raw) {
    if (!(bound.type() instanceof ParameterizedType parameterized)) {
      return Map.of();
    }
    Map<TypeVariable<?>, Bound> arguments = new HashMap<>();
    Type[] given = parameterized.getActualTypeArguments();
    for (int i = 0; i < given.length; i++) {
      arguments.put(raw.getTypeParameters()[i], resolved(new Bound(given[i], bound.variables())));
    }
    return arguments;
  }

  private static Bound argument(Bound bound, String at) {
    if (bound.type() instanceof ParameterizedType parameterized) {
      return new Bound(parameterized.getActualTypeArguments()[0], bound.variables());
    }
    throw new IllegalArgumentException(at + ": " + bound.type() + " needs a type argument");
  }

  private static Object array(List<Object> items, Class<?> type) {
    Object array = Array.newInstance(type, items.size());
    for (int i = 0; i < items.size(); i++) {
      Array.set(array, i, items.get(i));
    }
    return array;
  }

  /**
   * Reads files unchanged; the first if there are several.
   *
   * @param type the class of the files
   */
  private record FileType(Class<?> type) implements InputType {

    @Override
    public String wanted() {
      return "a file";
    }

    @Override
    public @Nullable Object read(Object sent, InputPath at, InputErrors errors) {
      Object first = InputType.first(sent);
      if (first == null || first.equals("")) {
        return null;
      }
      return type.isInstance(first) ? first : InputType.faulty(this, at, null, errors);
    }
  }

  /**
   * Reads values that may be absent.
   *
   * @param inner reads present values
   */
  private record OptionalType(InputType inner) implements InputType {

    @Override
    public String wanted() {
      return inner.wanted();
    }

    @Override
    public Object absent() {
      return Optional.empty();
    }

    @Override
    public @Nullable Object read(Object sent, InputPath at, InputErrors errors) {
      Object value = inner.read(sent, at, errors);
      return value == FAULTY ? FAULTY : Optional.ofNullable(value);
    }
  }

  /**
   * Reads all values of a name: {@code tag=1&tag=2}, {@code tag[]=1&tag[]=2}, {@code
   * lines[0][price]=3}. Empty strings are left out, except in lists of strings.
   *
   * @param inner reads each element
   * @param made creates the list, set or array from the elements
   */
  private record ListType(InputType inner, Function<List<Object>, Object> made)
      implements InputType {

    private static final Pattern INDEX = Pattern.compile("[0-9]{1,9}");

    @Override
    public String wanted() {
      return "a list";
    }

    @Override
    public Object absent() {
      return made.apply(List.of());
    }

    @Override
    public @Nullable Object read(Object sent, InputPath at, InputErrors errors) {
      Iterable<?> items = items(sent);
      if (items == null) {
        return InputType.faulty(this, at, null, errors);
      }
      List<Object> values = new ArrayList<>();
      boolean faulty = false;
      int index = 0;
      for (Object item : items) {
        InputPath place = at.to(Integer.toString(index++));
        Object value = item == null ? null : inner.read(item, place, errors);
        faulty |= value == FAULTY;
        if (value != null) {
          values.add(value);
        }
      }
      return faulty ? FAULTY : made.apply(values);
    }

    /** Returns the elements in order; null if the value is not a list. */
    private static @Nullable Iterable<?> items(Object sent) {
      if (sent instanceof List<?> list) {
        return list;
      }
      return sent instanceof Map<?, ?> map ? byIndex(map) : List.of(sent);
    }

    /**
     * Returns the elements of a map with indices as keys, in order, then those without an index;
     * null if a key is not an index.
     */
    private static @Nullable Iterable<?> byIndex(Map<?, ?> map) {
      TreeMap<Integer, Object> numbered = new TreeMap<>();
      List<Object> appended = new ArrayList<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        String key = String.valueOf(entry.getKey());
        if (FormFields.appends(key)) {
          appended.add(entry.getValue());
        } else if (INDEX.matcher(key).matches()) {
          numbered.put(Integer.valueOf(key), entry.getValue());
        } else {
          return null;
        }
      }
      List<Object> items = new ArrayList<>(numbered.values());
      items.addAll(appended);
      return items;
    }
  }
}
