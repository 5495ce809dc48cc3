package io.tsdbsuite.nightly.config;

import java.util.List;

/**
 * How rollup-job is started.
 *
 * @param command spark-submit
 * @param options its options
 * @param jar the jar of rollup-job
 */
public record SparkSettings(List<String> command, List<String> options, String jar) {}
