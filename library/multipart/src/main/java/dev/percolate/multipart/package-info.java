/** Forms with file uploads. */
package dev.percolate.multipart;
