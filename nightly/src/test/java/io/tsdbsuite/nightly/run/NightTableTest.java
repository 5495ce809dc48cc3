package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.nightly.report.Reports;
import io.tsdbsuite.planner.due.DueDay;
import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.run.PlannedRun;
import io.tsdbsuite.testkit.nights.NightTable;
import io.tsdbsuite.testkit.nights.NightTable.End;
import io.tsdbsuite.testkit.nights.NightTable.Night;
import io.tsdbsuite.testkit.nights.NightTable.Pipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What DuePlanner and DayRunner plan for the nights that AWS must plan alike. */
class NightTableTest {
  /** Outcomes of rollup-job, by exit code. */
  private static final List<String> OUTCOMES = List.of("done", "bad_input", "usage", "outside");

  @TempDir private Path dir;

  static List<Pipeline> pipelines() {
    return NightTable.read();
  }

  @ParameterizedTest
  @MethodSource("pipelines")
  void nights(Pipeline pipeline) throws IOException {
    StubNight stub =
        new StubNight(dir)
            .tsd("tsd.storage.fix_duplicates = true")
            .set("first-day", pipeline.first().toString());
    Duration ttl = pipeline.ttl().orElse(Duration.ofSeconds(HConstants.FOREVER));
    for (Night night : pipeline.nights()) {
      if (night.snapshot().isPresent()) {
        stub.snapshots(night.snapshot().get(), ttl);
      }
      assertThat(runs(stub.context(night.now()), night)).as("%s", night).isEqualTo(night.runs());
    }
  }

  /** A day is planned when the days before it have run, as RollupStep does. */
  private List<String> runs(Context context, Night night) throws IOException {
    List<String> runs = new ArrayList<>();
    try (Nights nights = new Nights(context, () -> -1)) {
      List<DueDay> due = new DuePlanner(context, nights, Optional.empty()).planned(List.of());
      DayRunner runner = new DayRunner(context, nights);
      for (DueDay day : due) {
        if (day.state() == DueDay.State.RUN && runs.size() < night.ends().size()) {
          PlannedRun run = runner.plan(day.day(), day.night().orElseThrow());
          report(run, day.night().orElseThrow().times(), night.ends().get(runs.size()));
          runs.add(NightTable.run(day.day(), run.arguments()));
        } else if (day.state() == DueDay.State.RUN) {
          runs.add(day.day() + " is one too many");
        }
      }
    }
    return runs;
  }

  private void report(PlannedRun run, SnapshotTimes times, End end) throws IOException {
    LocalDate day = run.day();
    ObjectNode report = Reports.done().root();
    report.withObject("/window").put("from", day + "T00:00:00Z");
    report.withObject("/window").put("to", day.plusDays(1) + "T00:00:00Z");
    report.withObject("/resume/snapshots").put("--data-snapshot", times.data().toString());
    report.withObject("/resume/snapshots").put("--uid-snapshot", times.uid().toString());
    String since = run.lateData().since().map(Instant::toString).orElse("");
    report.withObject("/resume/options").put("--changed-since", since);
    if (end.exitCode().isEmpty()) {
      report.put("state", "running").putNull("exitCode").put("outcome", "running");
    } else {
      int code = end.exitCode().get();
      report.put("exitCode", code).put("outcome", OUTCOMES.get(code));
    }
    Path reports = Files.createDirectories(dir.resolve("reports"));
    Files.writeString(reports.resolve(day + ".json"), report.toString());
  }
}
