package io.tsdbsuite.planner.run;

import io.tsdbsuite.planner.report.JobReport;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Compares a report with the present settings: the data table, and the options that determine which
 * rollups a run writes and where.
 */
public final class ReportMatch {
  private final RunSettings settings;
  private final ReportedOptions options;

  /** Compares with these settings. */
  public ReportMatch(RunSettings settings) {
    this.settings = settings;
    this.options = new ReportedOptions(settings.options());
  }

  /** The first difference; empty if the report is of a run with these settings. */
  public Optional<OptionDifference> difference(JobReport report) {
    String table = report.text("/input/dataTable");
    if (!table.equals(settings.dataTable())) {
      return Optional.of(new OptionDifference("the data table", table, settings.dataTable()));
    }
    for (String name : ReportedOptions.OF_SEARCH) {
      if (!options.isSame(report, name)) {
        return Optional.of(new OptionDifference(name, report.option(name), options.value(name)));
      }
    }
    String topic = settings.kafka().map(KafkaTarget::topic).orElse("");
    return difference(report, "--topic", topic);
  }

  /**
   * The first key of the TSD in which the rows of the report's run differ from the present ones.
   * The day is done nevertheless, but the job takes no such report for --since-report or --resume.
   */
  Optional<OptionDifference> rowKeyDifference(JobReport report) {
    return new TreeMap<>(settings.rowKeys())
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
