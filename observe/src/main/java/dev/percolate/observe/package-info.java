/** What operators see of an application: metrics and traces. */
package dev.percolate.observe;
