package dev.percolate.json;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.OptBoolean;
import dev.percolate.core.RecordComponents;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.type.TypeFactory;

/**
 * Makes record components required unless they may be absent, rejects null items in their lists and
 * maps, and makes absent lists empty. A component of type {@link Object} is required too, but may
 * be null. Jackson's annotations on a component take precedence, and so do creators other than the
 * canonical constructor. Kotlin classes are excluded, since Kotlin itself defines what may be
 * absent.
 */
final class RequiredComponents extends NopAnnotationIntrospector {

  private static final long serialVersionUID = 1L;

  /** How an absent component is handled. */
  private enum Rule {
    REQUIRED,
    ANYTHING,
    EMPTY,
    FREE
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
    return switch (rule(config, member)) {
      case REQUIRED, ANYTHING -> true;
      case EMPTY, FREE -> null;
    };
  }

  @Override
  public JsonSetter.@Nullable Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
    if (annotated.hasAnnotation(JsonSetter.class)) {
      return null;
    }
    Nulls values =
        switch (rule(config, annotated)) {
          case REQUIRED -> Nulls.FAIL;
          case EMPTY -> Nulls.AS_EMPTY;
          case ANYTHING, FREE -> Nulls.DEFAULT;
        };
    RecordComponent component = component(annotated);
    boolean holdsNoNull = component != null && holdsNoNull(component.getAnnotatedType());
    Nulls contents = holdsNoNull ? Nulls.FAIL : Nulls.DEFAULT;
    return JsonSetter.Value.construct(values, contents);
  }

  /**
   * Returns true if the lists and maps of a type must not contain null. Jackson has one rule for
   * the whole content of a component, at any depth: if any part may be null, all may.
   */
  private static boolean holdsNoNull(AnnotatedType type) {
    List<AnnotatedType> contents = contents(type);
    return contents.stream().noneMatch(RequiredComponents::mayBeNull)
        && contents.stream().allMatch(one -> contents(one).isEmpty() || holdsNoNull(one));
  }

  /** Returns the type of the items of a list, map or optional; empty for other types. */
  private static List<AnnotatedType> contents(AnnotatedType type) {
    if (type instanceof AnnotatedArrayType array) {
      return List.of(array.getAnnotatedGenericComponentType());
    }
    if (type instanceof AnnotatedParameterizedType generic && isContainer(raw(type))) {
      AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
      return List.of(arguments[arguments.length - 1]);
    }
    return List.of();
  }

  private static boolean isContainer(Class<?> type) {
    return Iterable.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)
        || type == Optional.class;
  }

  private static boolean mayBeNull(AnnotatedType type) {
    return RecordComponents.isNullable(type) || isOptional(raw(type)) || isAnything(type.getType());
  }

  private static Class<?> raw(AnnotatedType type) {
    return TypeFactory.rawClass(type.getType());
  }

  private static boolean isOptional(Class<?> type) {
    return type.getName().startsWith("java.util.Optional");
  }

  /** Returns true if null is among the JSON values of a type. */
  private static boolean isAnything(Type type) {
    return type == Object.class || type == JsonNode.class;
  }

  private static Rule rule(MapperConfig<?> config, Annotated annotated) {
    RecordComponent component = component(annotated);
    if (component == null || isExempt(annotated) || RecordComponents.isNullable(component)) {
      return Rule.FREE;
    }
    Class<?> type = component.getType();
    // Trees, paths and records can be iterable too.
    boolean list =
        type == Iterable.class
            || config.constructType(type).isCollectionLikeType()
            || (type.isArray() && type != byte[].class && type != char[].class);
    if (isAnything(component.getGenericType())) {
      return Rule.ANYTHING;
    }
    return list || isOptional(type) ? Rule.EMPTY : Rule.REQUIRED;
  }

  private static boolean isExempt(Annotated annotated) {
    JsonProperty property = annotated.getAnnotation(JsonProperty.class);
    return (property != null
            && (property.isRequired() == OptBoolean.FALSE
                || property.access() == JsonProperty.Access.READ_ONLY))
        || annotated.hasAnnotation(JacksonInject.class)
        || annotated.hasAnnotation(JsonUnwrapped.class);
  }

  /** Returns true for a component that may be null; see {@link RecordComponents#isNullable}. */
  static boolean isNullableComponent(Annotated annotated) {
    RecordComponent component = component(annotated);
    return component != null && RecordComponents.isNullable(component);
  }

  /** Returns the record component of a parameter of the canonical constructor; null for others. */
  private static @Nullable RecordComponent component(Annotated annotated) {
    if (!(annotated instanceof AnnotatedParameter parameter)
        || !(parameter.getOwner().getAnnotated() instanceof Constructor<?> constructor)) {
      return null;
    }
    Class<?> type = constructor.getDeclaringClass();
    if (!type.isRecord() || isKotlin(type)) {
      return null;
    }
    RecordComponent[] all = type.getRecordComponents();
    Class<?>[] types = Arrays.stream(all).map(RecordComponent::getType).toArray(Class<?>[]::new);
    return Arrays.equals(types, constructor.getParameterTypes()) ? all[parameter.getIndex()] : null;
  }

  /** Returns true if a class was compiled from Kotlin. */
  static boolean isKotlin(Class<?> type) {
    return Arrays.stream(type.getAnnotations())
        .anyMatch(one -> one.annotationType().getName().equals("kotlin.Metadata"));
  }
}
