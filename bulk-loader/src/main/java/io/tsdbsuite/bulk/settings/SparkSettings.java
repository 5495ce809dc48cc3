package io.tsdbsuite.bulk.settings;

/**
 * All that a load on Spark was asked to do.
 *
 * @param write of {@link Mode#HFILE}
 * @param unitBytes of input that a task reads, about, as stored; {@link #BY_CLUSTER} for what suits
 *     the cluster
 * @param rejectDir a directory of any file system that Hadoop knows; null for the default
 */
public record SparkSettings(
    TsdSettings tsd, InputSettings input, WriteSettings write, long unitBytes, String rejectDir) {
  /** By the number of cores. */
  public static final long BY_CLUSTER = 0;
}
