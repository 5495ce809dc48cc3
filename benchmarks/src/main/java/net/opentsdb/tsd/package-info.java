/** Access for the benchmarks to non-public counters of OpenTSDB's {@code net.opentsdb.tsd}. */
@NullMarked
package net.opentsdb.tsd;

import org.jspecify.annotations.NullMarked;
