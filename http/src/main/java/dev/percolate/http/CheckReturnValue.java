package dev.percolate.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what only returns something, so that to drop the result is a mistake; options are such, as
 * each gives a changed copy. Error Prone and IntelliJ know annotations of this name.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface CheckReturnValue {}
