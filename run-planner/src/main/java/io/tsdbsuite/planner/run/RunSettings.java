package io.tsdbsuite.planner.run;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.SuiteConfig;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

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
 * @param suite of rollup_config.json; empty if it is not known
 * @param codecs of the histograms that {@code suite} selects
 */
public record RunSettings(
    String snapshotRoot,
    String dataTable,
    String jar,
    Optional<String> version,
    Optional<KafkaTarget> kafka,
    CommandOptions options,
    Map<String, String> rowKeys,
    boolean lateData,
    Optional<SuiteConfig> suite,
    HistogramCodecs codecs) {
  /** Settings whose rollup_config.json is not known. */
  public RunSettings(
      String snapshotRoot,
      String dataTable,
      String jar,
      Optional<String> version,
      Optional<KafkaTarget> kafka,
      CommandOptions options,
      Map<String, String> rowKeys,
      boolean lateData) {
    this(
        snapshotRoot,
        dataTable,
        jar,
        version,
        kafka,
        options,
        rowKeys,
        lateData,
        Optional.empty(),
        HistogramCodecs.NONE);
  }

  /** Whether something is so of any interval of the runs. */
  boolean anyInterval(Predicate<String> isSo) {
    return Arrays.stream(new ReportedOptions(options).value("--interval").split(",", -1))
        .map(String::strip)
        .anyMatch(isSo);
  }
}
