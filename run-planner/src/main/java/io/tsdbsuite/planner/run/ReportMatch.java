package io.tsdbsuite.planner.run;

import io.tsdbsuite.planner.report.JobReport;
import java.util.Optional;

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
    return topic.equals(report.option("--topic"))
        ? Optional.empty()
        : Optional.of(new OptionDifference("--topic", report.option("--topic"), topic));
  }
}
