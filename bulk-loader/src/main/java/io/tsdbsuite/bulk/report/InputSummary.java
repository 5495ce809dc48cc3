package io.tsdbsuite.bulk.report;

/**
 * An input file.
 *
 * @param bytes as stored, compressed or not; negative if it is not known (standard input)
 */
public record InputSummary(String file, long bytes) {}
