package io.tsdbsuite.planner.run;

import io.tsdbsuite.planner.report.JobReport;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Compares a report with the present settings: the data table, and the options that determine which
 * rollups a run writes and where.
 */
public final class ReportMatch {
  private final String dataTable;
  private final ReportedOptions options;
  private final String topic;
  private final Map<String, String> rowKeys;

  /** Compares with these settings. */
  public ReportMatch(RunSettings settings) {
    this(
        settings.dataTable(),
        settings.options(),
        settings.kafka().map(KafkaTarget::topic).orElse(""),
        settings.rowKeys());
  }

  /** Compares with settings of which the row keys are not known. */
  public ReportMatch(String dataTable, CommandOptions options, String topic) {
    this(dataTable, options, topic, Map.of());
  }

  private ReportMatch(
      String dataTable, CommandOptions options, String topic, Map<String, String> rowKeys) {
    this.dataTable = dataTable;
    this.options = new ReportedOptions(options);
    this.topic = topic;
    this.rowKeys = rowKeys;
  }

  /** The first difference; empty if the report is of a run with these settings. */
  public Optional<OptionDifference> difference(JobReport report) {
    String table = report.text("/input/dataTable");
    if (!table.equals(dataTable)) {
      return Optional.of(new OptionDifference("the data table", table, dataTable));
    }
    for (String name : ReportedOptions.OF_SEARCH) {
      if (!options.isSame(report, name)) {
        return Optional.of(new OptionDifference(name, report.option(name), options.value(name)));
      }
    }
    return difference(report, "--topic", topic);
  }

  /** Whether the report is of a run with these settings. */
  public boolean isOwn(JobReport report) {
    return difference(report).isEmpty();
  }

  /**
   * The first key of the TSD in which the rows of the report's run differ from the present ones.
   * The day is done nevertheless, but the job takes no such report for --since-report or --resume.
   */
  Optional<OptionDifference> rowKeyDifference(JobReport report) {
    return new TreeMap<>(rowKeys)
        .entrySet().stream()
            .map(key -> difference(report, "--" + key.getKey(), key.getValue()))
            .flatMap(Optional::stream)
            .findFirst();
  }

  private static Optional<OptionDifference> difference(
      JobReport report, String name, String present) {
    String reported = report.option(name);
    return reported.equals(present)
        ? Optional.empty()
        : Optional.of(new OptionDifference(name, reported, present));
  }
}
