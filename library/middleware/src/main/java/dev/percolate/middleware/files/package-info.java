/** Pages and redirects for directories. */
package dev.percolate.middleware.files;
