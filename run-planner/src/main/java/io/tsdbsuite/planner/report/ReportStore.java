package io.tsdbsuite.planner.report;

import java.io.IOException;
import java.time.LocalDate;
import java.util.Optional;

/** The reports of all days, one for each day. */
public interface ReportStore {
  /** The location of a day's report as an option of the job; the report need not exist. */
  String location(LocalDate day);

  /**
   * The report of a day; empty when it does not exist or is not JSON.
   *
   * @throws IOException when the storage fails
   */
  Optional<JobReport> find(LocalDate day) throws IOException;
}
