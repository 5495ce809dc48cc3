/** Rows that the table has already, and what a load may do to them. */
package io.tsdbsuite.bulk.stored;
