package io.tsdbsuite.planner;

import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportStore;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reports in memory. */
public final class MemoryReports implements ReportStore {
  private final Map<LocalDate, JobReport> reports = new HashMap<>();
  private int reads;

  /** Puts a day's report. */
  public void put(LocalDate day, SampleReport report) {
    reports.put(day, report.read());
  }

  @Override
  public String location(LocalDate day) {
    return "hdfs://nn/reports/" + day + ".json";
  }

  /** How often a report was asked for. */
  public int reads() {
    return reads;
  }

  @Override
  public Optional<JobReport> find(LocalDate day) {
    reads++;
    return Optional.ofNullable(reports.get(day));
  }
}
