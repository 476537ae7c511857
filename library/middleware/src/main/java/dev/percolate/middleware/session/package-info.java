/** The values of sessions, their cookies, and CSRF tokens. */
package dev.percolate.middleware.session;
