package io.tsdbsuite.rollup.plan;

import java.util.List;

/**
 * The planned input of a run, computed from the manifest and the indexes of the HFiles only.
 *
 * @param regions live regions of the snapshot
 * @param regionsInWindow regions whose row range can contain rows of the window
 * @param files store files of the regions in the window
 * @param filesInWindow store files whose index lists blocks that can contain rows of the window
 * @param fileBytes bytes of {@code files}
 * @param windowBytes compressed bytes of the blocks that can contain rows of the window
 * @param estimatedRows rows in those blocks, estimated from the rows and bytes of their files; too
 *     high if rows have cells in several files
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
