package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.report.NightResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DryRunTest {
  @TempDir private Path dir;
  private StubNight night;
  private final List<String> lines = new ArrayList<>();

  @BeforeEach
  void aNight() throws IOException {
    night = new StubNight(dir).snapshots();
  }

  private NightResult plan() throws IOException {
    return night.nightly().plan(List.of(), lines::add);
  }

  private void requireFails(ExitCode code, String message) {
    assertThatThrownBy(this::plan)
        .isInstanceOfSatisfying(JobException.class, e -> assertThat(e.exitCode()).isEqualTo(code))
        .hasMessageContaining(message);
    assertThat(dir.resolve("calls")).doesNotExist();
  }

  @Test
  void theJobChecksItsOptions() throws IOException {
    night
        .answer("job-dry-run", 0, "partitions 4", "")
        .set("verify.against", "tsd")
        .set("verify.tsd", "http://127.0.0.1:4242");
    assertThat(plan().exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(night.calls()).singleElement().asString().endsWith(" --dry-run");
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("2026-11-20: sh ").contains(" --day 2026-11-20 ");
    assertThat(lines.get(1)).isEqualTo("2026-11-20: rollup-job --dry-run accepts its options");
    assertThat(lines.get(2)).startsWith("then: sh ").contains(" verify ", " --sample 1% ");
    assertThat(dir.resolve("state")).doesNotExist();
    assertThat(dir.resolve("reports")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"2,USAGE", "3,OUTSIDE", "4,DEFECT", "127,OUTSIDE"})
  void whatTheJobRefuses(int status, ExitCode code) throws IOException {
    night.answer("job-dry-run", status, "rollup-job: unknown option --wrong\n", "");
    NightResult result = plan();
    assertThat(result.exitCode()).isEqualTo(code);
    assertThat(result.line())
        .contains("2026-11-20: rollup-job --dry-run ended with status " + status);
    assertThat(night.progress).contains("rollup-job: unknown option --wrong");
  }

  /** Its dry run ends with 0 then, and a run would end with 2 or 3. */
  @Test
  void whatTheJobWarnsOf() throws IOException {
    night.answer("job-dry-run", 0, "partitions 4\nrollup-job: warning: no delaySla\n", "");
    assertThat(plan().exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(lines).contains("2026-11-20: rollup-job: warning: no delaySla");
    String warning = "rollup-job: warning: a run would end at once: topic rollups does not exist";
    night.answer("job-dry-run", 0, warning + "\npartitions 4\n", "");
    NightResult result = plan();
    assertThat(result.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(result.line()).contains("2026-11-20: " + warning);
    warning = "rollup-job: warning: a run would be refused: --kafka-config x";
    night.answer("job-dry-run", 0, warning + "\npartitions 4\n", "");
    result = plan();
    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(result.line()).contains("2026-11-20: " + warning);
  }

  /** Of 2026-11-19 the first points have expired. */
  @ParameterizedTest
  @CsvSource({
    "first-day, 2026-11-19, 72h, BAD_INPUT, 2026-11-19: its first points have expired",
    "max-days, 1, 0, OUTSIDE, '2026-11-20: not rolled up, because of max-days'",
    "snapshots.pattern, {table}_{date}, 0, OUTSIDE, it has waited for more than a day"
  })
  void endsAsARunWould(String key, String value, String ttl, ExitCode code, String message)
      throws IOException {
    night.done();
    if (!ttl.equals("0")) {
      night.snapshots(Duration.ofDays(3));
    }
    night.set("first-day", "2026-11-18").set("late-data", "false").set(key, value);
    if (key.equals("max-days")) {
      night.set("first-day", "2026-11-19");
    }
    NightResult planned = plan();
    assertThat(planned.line()).contains(message);
    assertThat(planned.exitCode()).isEqualTo(code);
    assertThat(lines).anyMatch(line -> line.contains(message));
  }

  @ParameterizedTest
  @CsvSource({"lock,true", "logs,false", "logs/rollup-2026-11-20.log,true", "owner,true"})
  void aStateDirectoryOfAnotherUser(String name, boolean directory) throws IOException {
    // A user that may write everything, such as root, cannot test rights.
    Path place = dir.resolve("state").resolve(name);
    Files.createDirectories(place.getParent());
    if (directory) {
      Files.createDirectory(place);
    } else {
      Files.createFile(place);
    }
    String message = "but " + place + " is no " + (directory ? "file" : "directory");
    requireFails(ExitCode.USAGE, message);
    assertThatThrownBy(() -> night.nightly().run(List.of()))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "spark.command,/no/such/spark-submit",
    "spark.command,no-such-spark-submit --verbose",
    "metrics.command,/no/such/report-metrics"
  })
  void aProgramThatDoesNotExist(String key, String command) throws IOException {
    night.set("metrics.push", "http://gateway:9091").set("metrics.command", "true");
    night.set(key, command);
    String message =
        key
            + " must be a program that is there, or on the PATH, found: '"
            + command.replaceFirst(" .*", "")
            + "'";
    requireFails(ExitCode.USAGE, message);
    // A run ends before its first step, too.
    NightResult run = night.nightly().run(List.of());
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.line()).contains(message);
    assertThat(night.calls()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"state-dir", "reports"})
  void aDirectoryThatCannotBeMade(String key) throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "");
    night.set(key, file.resolve("below").toString());
    requireFails(
        ExitCode.USAGE, key + " must be a directory that can be made and written, found: ");
  }

  /** The directory may be mounted later: a run fails only when it proves. */
  @Test
  void proofsThatDoNotExist() throws IOException {
    Path proofs = dir.resolve("proofs");
    night
        .set("snapshots.take", "true")
        .set("tiers.policy", Files.writeString(dir.resolve("tiers.json"), "[]").toString())
        .set("tiers.apply", "false")
        .set("tiers.proofs", proofs.toString());
    requireFails(ExitCode.USAGE, "tiers.proofs must be a directory that exists, found: " + proofs);
  }

  /** A run proves no days then. */
  @Test
  void aPolicyOfIdleSeriesHasNoDays() throws IOException {
    String policy = "[{\"match\":\"*\",\"idle\":\"1y\"}]";
    night
        .set("snapshots.take", "true")
        .set("tiers.policy", Files.writeString(dir.resolve("tiers.json"), policy).toString())
        .set("tiers.apply", "false")
        .set("tiers.proofs", Files.createDirectories(dir.resolve("proofs")).toString());
    plan();
    assertThat(lines)
        .anyMatch(line -> line.startsWith("idle series of * stay: "))
        .noneMatch(line -> line.startsWith("at the end: "));
  }

  @ParameterizedTest
  @CsvSource({"hbase-root", "reports", "export.root"})
  void aHostThatIsUnknown(String key) {
    night.set(key, "hdfs://no-such-host.invalid:8020/place");
    requireFails(ExitCode.OUTSIDE, "hdfs://no-such-host.invalid:8020/place cannot be read");
  }

  @Test
  void aGivenDayThatMustWait() throws IOException {
    NightResult result = night.nightly().plan(List.of(LocalDate.parse("2026-11-21")), lines::add);
    assertThat(result.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(lines)
        .containsExactly(
            "2026-11-21: it may be rolled up from 2026-11-22T01:00:00Z, run again with --day then");
  }
}
