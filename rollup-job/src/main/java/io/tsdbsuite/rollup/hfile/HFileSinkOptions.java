package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.List;

/**
 * Where HFiles go and what they are made by.
 *
 * @param dir directory of all runs, with its file system; each run makes one of its own in it
 * @param run names this run: letters, digits and {@code _}
 * @param schema widths and salt
 * @param intervals that the run emits
 * @param ids of the aggregators
 */
public record HFileSinkOptions(
    String dir,
    String run,
    StorageSchema schema,
    List<RollupInterval> intervals,
    AggregatorIds ids) {}
