/** One exchange: Request, Response, Next, Middleware, and what an engine supplies. */
package dev.percolate.core;
