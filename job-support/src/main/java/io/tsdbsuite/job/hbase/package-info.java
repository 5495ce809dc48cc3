/** Configuration of HBase's client. */
@NullMarked
package io.tsdbsuite.job.hbase;

import org.jspecify.annotations.NullMarked;
