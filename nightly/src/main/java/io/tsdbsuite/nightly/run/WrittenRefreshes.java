package io.tsdbsuite.nightly.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.run.CoverageRefresh;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Knows by the reports of loads, or of {@code coverage add}, what was added to the coverage. */
final class WrittenRefreshes implements CoverageRefresh {
  private final Context context;

  WrittenRefreshes(Context context) {
    this.context = context;
  }

  @Override
  public Optional<Instant> written(LocalDate day, JobReport run) throws IOException {
    Instant ended = run.ended().orElse(Instant.MAX);
    for (String command : List.of("load", CoverageStep.COMMAND)) {
      Optional<Instant> added =
          context
              .reports()
              .find(command, day)
              .filter(report -> report.text("/exitCode").equals("0"))
              .filter(WrittenRefreshes::hasRefresh)
              .flatMap(JobReport::ended)
              .filter(time -> !time.isBefore(ended));
      if (added.isPresent()) {
        return added;
      }
    }
    return Optional.empty();
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
