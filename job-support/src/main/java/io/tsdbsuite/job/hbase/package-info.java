/** Configuration of HBase's client and of the file systems that hold its files. */
@NullMarked
package io.tsdbsuite.job.hbase;

import org.jspecify.annotations.NullMarked;
