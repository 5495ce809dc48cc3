/** Rows on their way to the table. */
package io.tsdbsuite.bulk.row;
