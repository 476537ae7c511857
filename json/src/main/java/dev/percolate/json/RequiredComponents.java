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
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * Makes Jackson ask for each component of a record that may not be absent, for each item of its
 * lists and maps, and makes lists that are absent empty. What annotations of Jackson say of a
 * component goes first, and so do creators other than the canonical constructor, and Kotlin, which
 * knows itself what may be absent.
 */
final class RequiredComponents extends NopAnnotationIntrospector {

  private static final long serialVersionUID = 1L;

  /** What becomes of a component that is absent. */
  private enum Rule {
    REQUIRED,
    EMPTY,
    FREE
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
    return rule(member) == Rule.REQUIRED ? true : null;
  }

  @Override
  public JsonSetter.@Nullable Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
    if (annotated.hasAnnotation(JsonSetter.class)) {
      return null;
    }
    Nulls values =
        switch (rule(annotated)) {
          case REQUIRED -> Nulls.FAIL;
          case EMPTY -> Nulls.AS_EMPTY;
          case FREE -> Nulls.DEFAULT;
        };
    Nulls contents = holdsNoNull(component(annotated)) ? Nulls.FAIL : Nulls.DEFAULT;
    return JsonSetter.Value.construct(values, contents);
  }

  /** Tells whether what a list or map holds may not be null. */
  private static boolean holdsNoNull(@Nullable RecordComponent component) {
    if (component == null) {
      return false;
    }
    AnnotatedType content = null;
    if (component.getAnnotatedType() instanceof AnnotatedParameterizedType type) {
      AnnotatedType[] arguments = type.getAnnotatedActualTypeArguments();
      content = arguments[arguments.length - 1];
    } else if (component.getAnnotatedType() instanceof AnnotatedArrayType type) {
      content = type.getAnnotatedGenericComponentType();
    }
    return content != null && !RecordComponents.isNullable(content);
  }

  private static Rule rule(Annotated annotated) {
    RecordComponent component = component(annotated);
    if (component == null || isExempt(annotated) || RecordComponents.isNullable(component)) {
      return Rule.FREE;
    }
    Class<?> type = component.getType();
    boolean list =
        Iterable.class.isAssignableFrom(type)
            || (type.isArray() && type != byte[].class && type != char[].class);
    return list || type.getName().startsWith("java.util.Optional") ? Rule.EMPTY : Rule.REQUIRED;
  }

  private static boolean isExempt(Annotated annotated) {
    JsonProperty property = annotated.getAnnotation(JsonProperty.class);
    return (property != null
            && (property.isRequired() == OptBoolean.FALSE
                || property.access() == JsonProperty.Access.READ_ONLY))
        || annotated.hasAnnotation(JacksonInject.class)
        || annotated.hasAnnotation(JsonUnwrapped.class);
  }

  /** Returns the component that a parameter of the canonical constructor stands for. */
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

  private static boolean isKotlin(Class<?> type) {
    return Arrays.stream(type.getAnnotations())
        .anyMatch(one -> one.annotationType().getName().equals("kotlin.Metadata"));
  }
}
