package io.tsdbsuite.nightly.config;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import java.util.List;

/**
 * Snapshots and their exports.
 *
 * @param take whether to take them
 * @param pattern their names
 * @param keep number of nights that stay on HBase; 0 for all
 * @param exportCommand command that runs ExportSnapshot
 * @param exportOptions its further options
 */
public record SnapshotSettings(
    boolean take,
    SnapshotPattern pattern,
    int keep,
    List<String> exportCommand,
    List<String> exportOptions) {}
