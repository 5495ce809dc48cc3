package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.RollupInterval;
import java.io.Serializable;

/**
 * The destination of one interval's rollups.
 *
 * @param ids the aggregator numbers of the TSD's rollup configuration
 */
record Target(RollupInterval interval, AggregatorIds ids, TargetTable table)
    implements Serializable {}
