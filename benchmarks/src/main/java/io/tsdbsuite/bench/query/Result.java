package io.tsdbsuite.bench.query;

/**
 * Figures of a query in one way.
 *
 * @param way its name
 * @param asked how often it was measured
 * @param millis until the last byte, the median
 * @param tsdCpuMillis CPU of the TSD
 * @param hbaseCpuMillis CPU of HBase
 * @param kilobytes what the TSD has read
 * @param cells what the plugin has read; 0 for other ways
 * @param read what X-Rollup-Query says; empty for other ways
 * @param difference to the right answer; empty if it is equal
 */
record Result(
    String way,
    int asked,
    double millis,
    double tsdCpuMillis,
    double hbaseCpuMillis,
    double kilobytes,
    long cells,
    String read,
    String difference) {}
