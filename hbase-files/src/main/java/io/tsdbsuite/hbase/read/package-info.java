/**
 * Reads the rows of a region from its HFiles, merged as by HBase's own scan, and verifies the
 * checksum of every block. {@link io.tsdbsuite.hbase.read.RowReaders} is the entry point for rows,
 * {@link io.tsdbsuite.hbase.read.HFileIndex} for planning.
 */
@NullMarked
package io.tsdbsuite.hbase.read;

import org.jspecify.annotations.NullMarked;
