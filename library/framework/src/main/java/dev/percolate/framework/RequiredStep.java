package dev.percolate.framework;

import dev.percolate.core.TraitsProvider;

/**
 * A rule that all routes below a path need a middleware; see {@link App#require}.
 *
 * @param call the call that defines it
 * @param path the path within its application
 * @param kind the class of the middleware
 * @param origin the source line of the call
 */
record RequiredStep(
    String call, String path, Class<? extends TraitsProvider> kind, String origin) {}
