package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.rollup.snapshot.SnapshotFile;
import java.io.Serializable;
import java.util.List;

/**
 * A range of rows of one region that one task reads.
 *
 * @param index its number in the plan, from 0
 * @param region HBase's encoded name of the region
 * @param startRow first row, inclusive; empty for the start of the table
 * @param stopRow last row, exclusive; empty for the end of the table
 * @param files the region's store files that may have rows of the window
 * @param windowBytes estimate of the bytes of blocks that have rows of the window, compressed
 * @param sequential whether most blocks of the range are in the window
 */
public record RollupPartition(
    int index,
    String region,
    byte[] startRow,
    byte[] stopRow,
    List<SnapshotFile> files,
    long windowBytes,
    boolean sequential)
    implements Serializable {}
