package io.tsdbsuite.rollup.plan;

import java.util.List;

/**
 * What a run will read, worked out from the manifest and the indexes of the HFiles alone.
 *
 * @param regions live regions of the snapshot
 * @param regionsInWindow regions whose row range can have rows of the window
 * @param files store files of the regions in the window
 * @param filesInWindow store files whose index shows blocks that can have rows of the window
 * @param fileBytes bytes of {@code files}
 * @param windowBytes bytes of the blocks that can have rows of the window, compressed
 * @param estimatedRows rows in those blocks, estimated from the rows and bytes of their files; too
 *     high where a row has cells in several files
 * @param partitions the tasks, in row order
 */
public record RollupPlan(
    int regions,
    int regionsInWindow,
    int files,
    int filesInWindow,
    long fileBytes,
    long windowBytes,
    long estimatedRows,
    List<RollupPartition> partitions) {}
