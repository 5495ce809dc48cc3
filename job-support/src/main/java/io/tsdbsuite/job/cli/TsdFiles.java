package io.tsdbsuite.job.cli;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import org.jspecify.annotations.Nullable;

/**
 * The configuration files of a TSD.
 *
 * @param config opentsdb.conf with overrides; null if it cannot be read
 * @param schema layout of the tables according to {@code config}; null if unknown
 * @param rollups rollup_config.json; null if it cannot be read
 * @param codecs of histograms; {@link HistogramCodecs#NONE} if rollups have none
 */
public record TsdFiles(
    @Nullable TsdConfig config,
    @Nullable StorageSchema schema,
    @Nullable RollupConfig rollups,
    HistogramCodecs codecs) {}
