/** What a developer sees of an application: its requests, its errors, its routes. */
package dev.percolate.dev;
