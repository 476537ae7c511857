package dev.percolate.openapi;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.percolate.core.RecordComponents;
import dev.percolate.json.JacksonCodec;
import dev.percolate.json.ReadObject;
import dev.percolate.json.ReadProperty;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.util.NameTransformer;

/**
 * Finds the properties, subtypes and value forms of a type, as a codec sees them. For requests,
 * these are the properties that the deserializer reads.
 */
final class BeanReader {

  private final JacksonCodec codec;
  private final JsonMapper mapper;
  private final SerializationConfig writing;
  private final AnnotationIntrospector annotationReader;
  private final boolean lenient;

  /**
   * A property of an object.
   *
   * @param name the name in JSON
   * @param use the annotated type; null if unknown
   * @param annotations the annotations of the field, accessor and parameter
   * @param aliases other names that are accepted in requests
   * @param required whether the property is required
   * @param nullable whether it may be null; null if only the type decides
   * @param holdsNull whether elements of lists and maps may be null; null if only the type decides
   * @param words other keywords of its schema
   * @param leaves creates the schemas of values without parts
   */
  record Property(
      String name,
      JavaType type,
      @Nullable AnnotatedType use,
      List<Annotation> annotations,
      List<String> aliases,
      boolean required,
      @Nullable Boolean nullable,
      @Nullable Boolean holdsNull,
      Map<String, Object> words,
      Leaves leaves) {}

  /** Creates the schemas of types whose values have no parts. */
  @FunctionalInterface
  interface Leaves {
    Map<String, Object> of(JavaType type);
  }

  /** A subtype with its identifier, if it has one. */
  record Subtype(JavaType type, @Nullable String id) {}

  /**
   * Creates a reader.
   *
   * @param codec reads and writes types
   * @param lenient whether the codec reads leniently
   */
  BeanReader(JacksonCodec codec, boolean lenient) {
    this.codec = codec;
    this.mapper = codec.mapper();
    this.writing = mapper.serializationConfig();
    this.annotationReader = writing.getAnnotationIntrospector();
    this.lenient = lenient;
  }

  JavaType type(Type type) {
    return mapper.constructType(type);
  }

  /** Returns how objects of a type are read; null if unknown. */
  @Nullable ReadObject reading(JavaType type) {
    return codec.reading(type, lenient);
  }

  /** Returns the type of the single value that represents an object; null if there is none. */
  @Nullable JavaType valueType(JavaType type) {
    if (type.isEnumType()) {
      return null;
    }
    AnnotatedMember accessor = written(type).findJsonValueAccessor();
    return accessor == null ? null : accessor.getType();
  }

  boolean isObject(JavaType type) {
    return ValueForm.of(mapper, type).isObject();
  }

  /** Returns the schema of a type whose values have no parts. */
  Map<String, Object> leaf(JavaType type) {
    return ValueForm.of(mapper, type).schema();
  }

  /** Returns a creator of schemas with the format of a property, such as a pattern of dates. */
  private Leaves leaves(ValueForm owner, @Nullable BeanProperty property) {
    AnnotatedMember member = property == null ? null : property.getMember();
    if (property == null || member == null) {
      return this::leaf;
    }
    JsonFormat.Value format = annotationReader.findFormat(writing, member);
    if (format == null && annotationReader.findSerializer(writing, member) == null) {
      return this::leaf;
    }
    boolean hasPattern = format != null && format.hasPattern();
    return type -> {
      Map<String, Object> schema = ValueForm.of(owner, property, type).schema();
      if (hasPattern && "string".equals(schema.get("type"))) {
        schema.remove("format");
      }
      return schema;
    };
  }

  @Nullable String description(JavaType type) {
    return annotationReader.findClassDescription(writing, classOf(type));
  }

  /** Returns the concrete types of the values of a type; empty if it is the type itself. */
  List<Subtype> subtypes(JavaType type) {
    if (!type.isAbstract() || type.isContainerType() || type.isPrimitive()) {
      return List.of();
    }
    TypeSerializer ids = typeIds(type);
    List<Class<?>> classes = new ArrayList<>();
    writing
        .getSubtypeResolver()
        .collectAndResolveSubtypesByClass(writing, classOf(type))
        .forEach(one -> addConcrete(classes, one.getType()));
    return classes.stream()
        .map(one -> new Subtype(mapper.constructType(one), ids == null ? null : id(ids, one)))
        .toList();
  }

  private static void addConcrete(List<Class<?>> classes, Class<?> type) {
    if (type.isSealed()) {
      Stream.of(type.getPermittedSubclasses()).forEach(one -> addConcrete(classes, one));
    }
    boolean concrete = !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
    if (concrete && !classes.contains(type)) {
      classes.add(type);
    }
  }

  /** Returns the property that contains the type name of an object; null if there is none. */
  @Nullable String typeProperty(JavaType type) {
    TypeSerializer ids = typeIds(type);
    if (ids == null) {
      return null;
    }
    return switch (ids.getTypeInclusion()) {
      case PROPERTY, EXISTING_PROPERTY -> ids.getPropertyName();
      default -> null;
    };
  }

  String typeId(JavaType type) {
    TypeSerializer ids = typeIds(type);
    return ids == null ? "" : id(ids, type.getRawClass());
  }

  private static String id(TypeSerializer ids, Class<?> type) {
    return String.valueOf(ids.getTypeIdResolver().idFromValueAndType(null, null, type));
  }

  private @Nullable TypeSerializer typeIds(JavaType type) {
    TypeSerializer ids = ValueForm.of(mapper, type).typeIds();
    return ids == null || ids.getTypeIdResolver() == null ? null : ids; // types are deduced
  }

  /** Returns the properties of an object in order of declaration. */
  List<Property> properties(JavaType type) {
    return properties(type, UnaryOperator.identity());
  }

  private List<Property> properties(JavaType type, UnaryOperator<String> rename) {
    ValueForm form = ValueForm.of(mapper, type);
    Map<String, BeanPropertyDefinition> written =
        byName(written(type), one -> one.couldSerialize() && isWritten(one, form));
    Map<String, BeanPropertyDefinition> read =
        byName(read(type), BeanPropertyDefinition::couldDeserialize);
    Map<String, BeanPropertyDefinition> all = new LinkedHashMap<>(written);
    read.forEach(all::putIfAbsent);
    Map<String, ReadProperty> readable = readable(type);
    List<Property> properties = new ArrayList<>();
    all.forEach(
        (name, definition) -> {
          BeanPropertyDefinition other = read.get(name);
          List<AnnotatedMember> members = members(definition);
          if (other != null && other != definition) {
            members.addAll(members(other));
          }
          NameTransformer unwrapped = unwrapping(members);
          boolean isRead = readable == null ? other != null : readable.containsKey(name);
          if (unwrapped != null) {
            properties.addAll(
                properties(
                    definition.getPrimaryType(),
                    inner -> rename.apply(unwrapped.transform(inner))));
          } else if (isRead || written.containsKey(name)) {
            properties.add(
                property(
                    type,
                    rename.apply(name),
                    definition,
                    members,
                    written.containsKey(name),
                    isRead,
                    readable == null ? null : readable.get(name),
                    leaves(form, form.properties().get(name))));
          }
        });
    return properties;
  }

  /** Returns the properties that are read, by name; null if unknown. */
  private @Nullable Map<String, ReadProperty> readable(JavaType type) {
    ReadObject reading = reading(type);
    if (reading == null || reading.delegate() != null) {
      return null;
    }
    Map<String, ReadProperty> byName = new HashMap<>();
    reading.properties().forEach(one -> byName.put(one.name(), one));
    return byName;
  }

  /**
   * Returns true if a property is written. Its type or its owner may make the serializer ignore it.
   */
  private boolean isWritten(BeanPropertyDefinition property, ValueForm form) {
    return !form.isObject()
        || form.properties().containsKey(property.getName())
        || unwrapping(members(property)) != null;
  }

  private static Map<String, BeanPropertyDefinition> byName(
      BeanDescription description, Predicate<BeanPropertyDefinition> counts) {
    Map<String, BeanPropertyDefinition> byName = new LinkedHashMap<>();
    description.findProperties().stream()
        .filter(counts)
        .forEach(one -> byName.put(one.getName(), one));
    return byName;
  }

  private Property property(
      JavaType owner,
      String name,
      BeanPropertyDefinition definition,
      List<AnnotatedMember> members,
      boolean written,
      boolean read,
      @Nullable ReadProperty reading,
      Leaves leaves) {
    boolean record = owner.isRecordType();
    List<Annotation> annotations =
        members.stream()
            .flatMap(
                member ->
                    member
                        .annotations()
                        .filter(one -> record || isChecked(member) || !Constraints.isOne(one)))
            .distinct()
            .toList();
    AnnotatedType use =
        members.stream().map(BeanReader::use).filter(one -> one != null).findFirst().orElse(null);
    JavaType type = definition.getPrimaryType();
    Map<String, Object> words = new LinkedHashMap<>();
    JsonObject.add(words, "description", definition.getMetadata().getDescription());
    boolean deprecated = annotations.stream().anyMatch(Deprecated.class::isInstance);
    JsonObject.add(words, "deprecated", deprecated);
    JsonObject.add(words, "readOnly", !read);
    JsonObject.add(words, "writeOnly", !written);
    addAccess(words, members);
    boolean list = type.isContainerType() && !type.isMapLikeType();
    boolean emptied = record && list && reading != null; // an absent list is empty
    boolean rejectsNull =
        (list && Constraints.rejectsEmpty(annotations))
            || (!emptied && Constraints.rejectsNull(annotations));
    boolean required =
        reading == null
            ? definition.isRequired() || (record && !mayLack(type, use, annotations))
            : reading.required();
    return new Property(
        name,
        type,
        use,
        annotations,
        reading == null ? List.of() : reading.aliases(),
        required || rejectsNull,
        reading == null ? null : reading.nullable() && !rejectsNull,
        reading == null ? null : reading.holdsNull(),
        words,
        leaves);
  }

  /** Returns true if a component that is only written may be null or empty. */
  private static boolean mayLack(
      JavaType type, @Nullable AnnotatedType use, List<Annotation> annotations) {
    return (use != null && RecordComponents.isNullable(use))
        || Nullness.isNullable(annotations)
        || type.isReferenceType()
        || (type.isContainerType() && !type.isMapLikeType());
  }

  /** Returns true if a validator checks the annotations of a member when it checks an object. */
  private static boolean isChecked(AnnotatedMember member) {
    return member.getAnnotated() instanceof Field
        || (member.getAnnotated() instanceof Method method && method.getParameterCount() == 0);
  }

  private void addAccess(Map<String, Object> words, List<AnnotatedMember> members) {
    for (AnnotatedMember member : members) {
      JsonProperty.Access access = annotationReader.findPropertyAccess(writing, member);
      JsonObject.add(words, "readOnly", access == JsonProperty.Access.READ_ONLY);
      JsonObject.add(words, "writeOnly", access == JsonProperty.Access.WRITE_ONLY);
    }
  }

  private @Nullable NameTransformer unwrapping(List<AnnotatedMember> members) {
    for (AnnotatedMember member : members) {
      NameTransformer found = annotationReader.findUnwrappingNameTransformer(writing, member);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static List<AnnotatedMember> members(BeanPropertyDefinition definition) {
    List<AnnotatedMember> members = new ArrayList<>();
    Stream.of(
            definition.getGetter(),
            definition.getField(),
            definition.getConstructorParameter(),
            definition.getSetter())
        .filter(one -> one != null)
        .forEach(members::add);
    return members;
  }

  private static @Nullable AnnotatedType use(AnnotatedMember member) {
    if (member.getAnnotated() instanceof Method method && method.getParameterCount() == 0) {
      return method.getAnnotatedReturnType();
    }
    return member.getAnnotated() instanceof Field field ? field.getAnnotatedType() : null;
  }

  private AnnotatedClass classOf(JavaType type) {
    return introspector(writing).introspectClassAnnotations(type);
  }

  private BeanDescription written(JavaType type) {
    ClassIntrospector introspector = introspector(writing);
    return introspector.introspectForSerialization(
        type, introspector.introspectClassAnnotations(type));
  }

  private BeanDescription read(JavaType type) {
    ClassIntrospector introspector = introspector(mapper.deserializationConfig());
    return introspector.introspectForDeserialization(
        type, introspector.introspectClassAnnotations(type));
  }

  private static ClassIntrospector introspector(MapperConfig<?> config) {
    return config.classIntrospectorInstance().forOperation(config);
  }
}
