/**
 * A TSD's configuration: UID widths, salt, table names, the rules for duplicates, and the address
 * of HBase. Every width that other packages use comes from here.
 */
package io.tsdbsuite.format.schema;
