package io.tsdbsuite.planner.run;

import java.util.Map;
import java.util.Optional;

/**
 * What the runs of all days have in common.
 *
 * @param snapshotRoot root of the snapshots, as the job's option
 * @param dataTable OpenTSDB's data table, in HBase's notation ({@code tsdb}, {@code ns:tsdb})
 * @param jar location of the job's jar
 * @param version version of the job, if the jar's name has none; empty if it is not known
 * @param kafka target of the sink {@code kafka}; empty with another sink
 * @param options further options of the job
 * @param rowKeys keys of the TSD that decide what stored rows mean, with the values that the job
 *     reads; those whose values are not known are missing
 * @param lateData whether each run also rolls up earlier rows that have changed
 */
public record RunSettings(
    String snapshotRoot,
    String dataTable,
    String jar,
    Optional<String> version,
    Optional<KafkaTarget> kafka,
    CommandOptions options,
    Map<String, String> rowKeys,
    boolean lateData) {}
