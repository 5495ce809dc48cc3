/** The way to the TSD's HBase, and what all who use it share. */
package io.tsdbsuite.bulk.hbase;
