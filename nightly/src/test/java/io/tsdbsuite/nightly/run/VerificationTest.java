package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.report.NightResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerificationTest {
  @TempDir private Path dir;
  private StubNight night;

  @BeforeEach
  void aDayThatIsRolledUp() throws IOException {
    night =
        new StubNight(dir)
            .snapshots()
            .done()
            .set("verify.against", "tsd")
            .set("verify.tsd", "http://127.0.0.1:4242")
            .set("verify.patience", "15s");
  }

  private static String report(int exitCode, int missing, String message) {
    return """
    {"report": "rollup-job verify", "v": 1, "state": "ended", "exitCode": %d,
     "message": "%s", "ended": "@NOW@", "compared": {"missing": %d, "extra": 0, "different": 0}}
    """
        .formatted(exitCode, message, missing);
  }

  @Test
  void whatARunAcceptsItsVerificationAcceptsToo() throws IOException {
    night
        .answer("verify", 0, "", report(0, 0, ""))
        .set(
            "job.options",
            "--max-failed-rows 5 --max-failed-blocks=2 --allow-incomplete --allow-expired=true"
                + " --allow-skip-flush --allow-empty --any-bucket --max-messages-per-second 9");
    NightResult result = night.nightly().run(List.of());
    assertThat(result.exitCode()).as(result.line()).isEqualTo(ExitCode.DONE);
    assertThat(night.calls()).hasSize(2);
    assertThat(night.calls().get(1))
        .contains(
            " verify ",
            " --max-failed-rows 5 ",
            " --max-failed-blocks 2 ",
            " --allow-incomplete ",
            " --allow-expired=true ",
            " --allow-skip-flush ",
            " --allow-empty ",
            " --any-bucket ",
            " --sample 1% ")
        .doesNotContain("--max-messages-per-second");
  }

  /** A misspelled metric would pass as verified. */
  @Test
  void nothingToCompareOfItsOwnMetricsIsNotAccepted() throws IOException {
    night
        .answer("verify", 0, "", report(0, 0, ""))
        .set("job.options", "--allow-empty")
        .set("verify.metrics", "sys.*");
    NightResult result = night.nightly().run(List.of());
    assertThat(result.exitCode()).as(result.line()).isEqualTo(ExitCode.DONE);
    assertThat(night.calls().get(1))
        .contains(" verify ", " sys.* ")
        .doesNotContain("--allow-empty");
  }

  /** No patience helps a comparison without input. */
  @Test
  void onlyDifferencesAreWaitedFor() throws IOException {
    night.answer("verify", 1, "", report(1, 0, "nothing was compared"));
    NightResult result = night.nightly().run(List.of());
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.line())
        .contains("rollup-job verify ended with status 1 (nothing was compared), see ");
    assertThat(night.calls()).hasSize(2);
  }

  @Test
  void differencesMayVanish() throws IOException {
    night.answer("verify", 1, "", report(1, 3, "3 are missing"));
    night.set("verify.patience", "1s");
    NightResult result = night.nightly().run(List.of());
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(night.calls()).hasSize(3);
  }

  /** Days are verified in their order. */
  @Test
  void metricsOfARightDayHideNoWrongOne() throws IOException {
    night.dayBefore(Map.of()).set("verify.patience", "0s");
    Path script =
        Files.writeString(
            dir.resolve("metrics.sh"),
            "case $1 in *-verify.json) cat \"$1\" >>'%s/sent' ;; esac\n".formatted(dir));
    night.set("metrics.command", "sh " + script).set("metrics.push", "http://gateway:9091");
    night.answer("verify-2026-11-19", 1, "", report(1, 3, "3 are missing"));
    night.answer("verify", 0, "", report(0, 0, ""));
    NightResult result = night.nightly().run(List.of());
    assertThat(result.line()).contains("2026-11-20: rolled up", "verified", "3 are missing");
    assertThat(dir.resolve("sent")).content().contains("\"message\": \"3 are missing\"");
  }
}
