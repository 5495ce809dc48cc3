/** Puts and HFiles: the ways of rows into the table. */
package io.tsdbsuite.bulk.write;
