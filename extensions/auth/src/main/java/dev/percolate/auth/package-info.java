/** Bearer tokens, API keys, login with OpenID Connect, and password hashing. */
package dev.percolate.auth;
