/** One exchange for people: Request, Response, Next, Middleware. */
package dev.percolate.core;
