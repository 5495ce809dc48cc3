package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.Serializable;
import java.util.List;

/**
 * A range of rows of one region.
 *
 * @param region HBase's encoded name of the region
 * @param startRow first row, inclusive; empty for the start of the table
 * @param stopRow last row, exclusive; empty for the end of the table
 * @param files the region's store files that may contain rows of the window
 * @param sequential whether most blocks of the range are in the window
 */
public record RegionPart(
    String region, byte[] startRow, byte[] stopRow, List<SnapshotFile> files, boolean sequential)
    implements Serializable {}
