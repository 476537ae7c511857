package dev.percolate.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method whose result must not be ignored. On a type it applies to all methods, such as
 * option methods that return a changed copy. Error Prone and IntelliJ recognise annotations of this
 * name.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface CheckReturnValue {}
