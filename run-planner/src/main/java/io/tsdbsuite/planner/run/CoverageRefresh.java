package io.tsdbsuite.planner.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.planner.report.JobReport;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
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

  /** Finds the reports of the commands that add what a day's run proves to the coverage. */
  @FunctionalInterface
  interface Adds {
    /**
     * The newest report of each of {@code load} and {@code coverage add} for a day.
     *
     * @throws IOException when the storage fails
     */
    List<JobReport> of(LocalDate day) throws IOException;
  }

  /** Knows it by the reports of the commands that add: one that succeeded since the run ended. */
  static CoverageRefresh by(Adds adds) {
    return (day, run) -> {
      Instant rolledUp = run.ended().orElse(Instant.MAX);
      for (JobReport report : adds.of(day)) {
        Optional<Instant> added = report.ended().filter(time -> !time.isBefore(rolledUp));
        if (added.isPresent() && report.text("/exitCode").equals("0") && hasRefresh(report)) {
          return added;
        }
      }
      return Optional.empty();
    };
  }

  private static boolean hasRefresh(JobReport report) {
    for (JsonNode window : report.root().at("/coverage/windows")) {
      if (window.has("changesSince")) {
        return true;
      }
    }
    return false;
  }
}
