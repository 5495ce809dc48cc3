package io.tsdbsuite.bulk.settings;

import org.jspecify.annotations.Nullable;

/**
 * All settings of a load on Spark.
 *
 * @param write settings of a load with {@link Mode#HFILE}
 * @param unitBytes approximate stored bytes of input that one task reads; {@link #BY_CLUSTER} to
 *     derive it from the number of cores
 * @param rejectDir a directory of any file system that Hadoop supports; null for the default
 */
public record SparkSettings(
    TsdSettings tsd,
    InputSettings input,
    WriteSettings write,
    long unitBytes,
    @Nullable String rejectDir) {
  /** By the number of cores. */
  public static final long BY_CLUSTER = 0;
}
