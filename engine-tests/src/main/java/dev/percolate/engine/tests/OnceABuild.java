package dev.percolate.engine.tests;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * Leaves tests that wait for long, and that no JDK does otherwise, out of a build's second run on
 * an older JDK. Unlike the condition that it stands for, it holds for the classes that extend a
 * contract, too.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
public @interface OnceABuild {}
