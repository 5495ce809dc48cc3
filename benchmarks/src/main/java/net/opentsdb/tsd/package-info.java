/** Access for the benchmarks to non-public counters of OpenTSDB's {@code net.opentsdb.tsd}. */
package net.opentsdb.tsd;
