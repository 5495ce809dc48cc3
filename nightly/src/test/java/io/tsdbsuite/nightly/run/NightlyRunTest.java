package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.ConfigReader;
import io.tsdbsuite.nightly.config.JobJar;
import io.tsdbsuite.nightly.report.NightResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a local directory without snapshots and without HBase. */
class NightlyRunTest {
  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-11-21T02:00:00Z"), ZoneOffset.UTC);
  private static final LocalDate TODAY = LocalDate.parse("2026-11-21");

  @TempDir private Path dir;
  private final List<String> progress = new ArrayList<>();

  private Nightly nightly(String firstDay, String... more) throws IOException {
    Files.writeString(dir.resolve("opentsdb.conf"), "");
    List<String> lines =
        new ArrayList<>(
            List.of(
                "tsd-config = " + dir.resolve("opentsdb.conf"),
                "first-day = " + firstDay,
                "state-dir = " + dir.resolve("state"),
                "snapshots.take = false",
                "hbase-root = " + Files.createDirectories(dir.resolve("hbase")).toUri(),
                "job.jar = " + JobJar.write(dir.resolve("job.jar"), "rollup-job"),
                "kafka.bootstrap = localhost:9092",
                "kafka.topic = rollups",
                "spark.command = true"));
    lines.addAll(List.of(more));
    if (lines.stream().noneMatch(line -> line.startsWith("reports"))) {
      lines.add("reports = " + dir.resolve("reports"));
    }
    return new Nightly(
        ConfigReader.read(Files.write(dir.resolve("nightly.conf"), lines)),
        NOW,
        () -> -1,
        progress::add);
  }

  @Test
  void daysInTheFuture() throws IOException {
    Nightly future = nightly("2026-11-22");
    assertThatThrownBy(() -> future.run(List.of(TODAY.plusDays(2))))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining(
            "first-day must not be later than today, 2026-11-21 UTC, found: 2026-11-22")
        .hasMessageContaining(
            "--day must not be later than today, 2026-11-21 UTC, found: 2026-11-23");
    assertThatThrownBy(() -> future.plan(List.of(), progress::add))
        .hasMessageContaining("first-day");
    assertThat(nightly("2026-11-21").run(List.of()).exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void aGivenDayThatMustWaitIsNotDone() throws IOException {
    Nightly nightly = nightly("2026-11-20");
    NightResult early = nightly.run(List.of(TODAY));
    assertThat(early.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(early.line())
        .contains(
            "2026-11-21: it may be rolled up from 2026-11-22T01:00:00Z, run again with --day then");
    NightResult without = nightly("2026-11-20").run(List.of(TODAY.minusDays(1)));
    assertThat(without.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(without.line()).contains("no snapshot has been taken since 2026-11-21T01:00:00Z");
  }

  /** The own metrics are written, whatever the reports of the jobs are. */
  @Test
  void metricsOfTheRun() throws IOException {
    Path script = dir.resolve("metrics.sh");
    Files.writeString(script, "echo \"$1\" >> " + dir.resolve("called") + "\n");
    Nightly nightly =
        nightly(
            "2026-11-20", "metrics.command = sh " + script, "metrics.push = http://gateway:9091");
    NightResult result = nightly.run(List.of());
    assertThat(result.line()).contains("no snapshot has been taken since 2026-11-21T01:00:00Z");
    assertThat(dir.resolve("called")).hasContent(dir.resolve("state/last-run.json").toString());
  }

  /** report-metrics.py takes one target. */
  @Test
  void metricsOfTheRunInATsd() throws IOException {
    Path script = dir.resolve("metrics.sh");
    Files.writeString(script, "echo \"$*\" >> " + dir.resolve("called") + "\n");
    nightly(
            "2026-11-20",
            "metrics.command = sh " + script,
            "metrics.push = http://gateway:9091",
            "metrics.put = http://tsd:4242",
            "metrics.options = --tag cluster=a")
        .run(List.of());
    String own = dir.resolve("state/last-run.json").toString();
    assertThat(Files.readAllLines(dir.resolve("called")))
        .containsExactly(
            own + " --push http://gateway:9091 --tag cluster=a",
            own + " --put http://tsd:4242 --tag cluster=a");
  }

  /** A defect is in last-run.json, as each other failure. */
  @Test
  void aDefectIsReported() throws IOException {
    // No scheme begins with a digit: Hadoop's Path throws IllegalArgumentException.
    Nightly nightly = nightly("2026-11-20", "reports = 1a:/reports");
    NightResult result = nightly.run(List.of());
    assertThat(result.exitCode()).isEqualTo(ExitCode.DEFECT);
    assertThat(dir.resolve("state/last-run.json"))
        .content()
        .contains("URISyntaxException", "\"exitCode\" : 4");
    assertThat(progress).anyMatch(line -> line.contains("URISyntaxException"));
  }
}
