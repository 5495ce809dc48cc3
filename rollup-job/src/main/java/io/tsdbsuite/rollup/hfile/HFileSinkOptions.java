package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.List;

/**
 * Location and format of the HFiles of a run.
 *
 * @param dir directory of all runs, with its file system; each run creates a subdirectory
 * @param run names this run: letters, digits and {@code _}
 * @param schema widths and salt
 * @param intervals of the run
 * @param rollups has the ids of the aggregators, and the tables
 * @param codecs of histograms
 */
public record HFileSinkOptions(
    String dir,
    String run,
    StorageSchema schema,
    List<RollupInterval> intervals,
    RollupConfig rollups,
    HistogramCodecs codecs) {}
