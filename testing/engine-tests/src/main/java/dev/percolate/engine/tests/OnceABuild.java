package dev.percolate.engine.tests;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * Skips slow tests that do not depend on the JDK when a build runs again on an older JDK. Unlike
 * the annotation {@code DisabledIfSystemProperty} alone, it also applies to classes that extend a
 * contract.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
public @interface OnceABuild {}
