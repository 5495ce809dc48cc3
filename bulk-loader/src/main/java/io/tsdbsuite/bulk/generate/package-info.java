/** Rows of module {@code synthetic} as rows to write, with their points counted. */
package io.tsdbsuite.bulk.generate;
