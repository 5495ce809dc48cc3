/**
 * Rows of a region from its HFiles, merged as HBase's own scan merges them, with every block's
 * checksum verified. {@link io.tsdbsuite.hbase.read.RowReaders} is the entry for rows, {@link
 * io.tsdbsuite.hbase.read.HFileIndex} for planning.
 */
package io.tsdbsuite.hbase.read;
