package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.Tally;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of the task of a region.
 *
 * @param files names of finished HFiles
 * @param refusal null after a success
 */
record RegionResult(int region, List<String> files, Tally tally, @Nullable Refusal refusal)
    implements Serializable {}
