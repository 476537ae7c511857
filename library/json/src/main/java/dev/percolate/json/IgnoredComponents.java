package dev.percolate.json;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.bean.PropertyValueBuffer;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.ClassIntrospector;

/**
 * Makes record components that Jackson ignores null, 0 or false, even if other components are
 * required, since no JSON can contain them. Jackson decides which components are ignored, by all
 * its annotations and settings. But it still reads components of ignored types in constructors, so
 * these are detected here.
 */
final class IgnoredComponents extends ValueInstantiators.Base {

  @Override
  public ValueInstantiator modifyValueInstantiator(
      DeserializationConfig config,
      BeanDescription.Supplier description,
      ValueInstantiator instantiator) {
    SettableBeanProperty[] components =
        description.getBeanClass().isRecord() ? instantiator.getFromObjectArguments(config) : null;
    if (components == null) {
      return instantiator;
    }
    for (SettableBeanProperty component : components) {
      if (component != null && isIgnoredType(config, component.getType())) {
        component.markAsIgnorable();
      }
    }
    return new WithDefaults(instantiator);
  }

  private static boolean isIgnoredType(DeserializationConfig config, JavaType type) {
    Boolean ignored = config.getConfigOverride(type.getRawClass()).getIsIgnoredType();
    if (ignored == null) {
      ClassIntrospector introspector = config.classIntrospectorInstance().forOperation(config);
      AnnotatedClass annotated = introspector.introspectClassAnnotations(type);
      ignored = config.getAnnotationIntrospector().isIgnorableType(config, annotated);
    }
    return Boolean.TRUE.equals(ignored);
  }

  /** Assigns values to ignored components before absent components are checked. */
  private static final class WithDefaults extends ValueInstantiator.Delegating {

    private static final long serialVersionUID = 1L;

    WithDefaults(ValueInstantiator delegate) {
      super(delegate);
    }

    @Override
    public ValueInstantiator createContextual(
        DeserializationContext context, BeanDescription.Supplier description) {
      ValueInstantiator contextual = delegate().createContextual(context, description);
      return contextual == delegate() ? this : new WithDefaults(contextual);
    }

    @Override
    public Object createFromObjectWith(
        DeserializationContext context,
        SettableBeanProperty[] components,
        PropertyValueBuffer values) {
      for (SettableBeanProperty component : components) {
        if (component.isIgnorable() && !values.hasParameter(component)) {
          Object value = nothing(component.getType().getRawClass());
          boolean ignored = values.assignParameter(component, value);
        }
      }
      return delegate().createFromObjectWith(context, components, values);
    }

    private static @Nullable Object nothing(Class<?> type) {
      return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }
  }
}
