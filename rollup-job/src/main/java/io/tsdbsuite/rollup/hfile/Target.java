package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.RollupInterval;
import java.io.Serializable;
import java.util.Map;

/**
 * The destination of one interval's rollups.
 *
 * @param ids by name, the ids of the aggregators that the interval may have: sum, min, max, count
 *     first, then further ones
 */
record Target(RollupInterval interval, Map<String, Integer> ids, TargetTable table)
    implements Serializable {}
