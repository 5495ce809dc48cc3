/** Writes HFiles for a bulk load, one for each region of the rows, and loads them into HBase. */
@NullMarked
package io.tsdbsuite.hbase.load;

import org.jspecify.annotations.NullMarked;
