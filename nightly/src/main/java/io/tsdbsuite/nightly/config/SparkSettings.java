package io.tsdbsuite.nightly.config;

import java.util.List;
import java.util.Optional;

/**
 * How rollup-job is started.
 *
 * @param command spark-submit
 * @param options its options
 * @param jar the jar of rollup-job
 * @param version version of the job; empty if the jar is not on this machine
 */
public record SparkSettings(
    List<String> command, List<String> options, String jar, Optional<String> version) {}
