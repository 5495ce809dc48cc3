package io.tsdbsuite.quickstart.query;

/**
 * What a query makes HBase send to the TSD.
 *
 * @param rows rows
 * @param cells cells; a compacted one counts once
 * @param points points in those cells
 * @param bytes bytes of row keys, qualifiers and values, each cell with its row key
 */
public record ScanCost(long rows, long cells, long points, long bytes) {}
