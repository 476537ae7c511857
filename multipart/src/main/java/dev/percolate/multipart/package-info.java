/** Forms with files. */
package dev.percolate.multipart;
