package io.tsdbsuite.planner.run;

import io.tsdbsuite.planner.report.JobReport;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/** Knows which runs have refreshed the coverage: the hours before their windows. */
@FunctionalInterface
public interface CoverageRefresh {
  /** For runs whose rollups have no coverage. */
  CoverageRefresh NONE = (day, run) -> Optional.empty();

  /**
   * When the refresh of a day's run was added to the coverage. It has raised what was there then.
   *
   * @param run the report of the run
   * @return empty if it was not added
   * @throws IOException when the storage fails
   */
  Optional<Instant> written(LocalDate day, JobReport run) throws IOException;
}
