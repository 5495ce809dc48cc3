package io.tsdbsuite.quickstart.query;

/**
 * The data that HBase sends to the TSD for a query.
 *
 * @param rows rows
 * @param cells cells; a compacted cell counts once
 * @param points points in those cells
 * @param bytes bytes of row keys, qualifiers and values, each cell with its row key
 */
public record ScanCost(long rows, long cells, long points, long bytes) {}
