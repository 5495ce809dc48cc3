package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.RollupInterval;
import java.io.Serializable;

/**
 * Where the rollups of one interval go.
 *
 * @param ids the numbers of the aggregators, as the TSD's rollup configuration has them
 */
record Target(RollupInterval interval, AggregatorIds ids, TargetTable table)
    implements Serializable {}
