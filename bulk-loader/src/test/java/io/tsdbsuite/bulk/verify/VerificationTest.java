package io.tsdbsuite.bulk.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.stored.Findings;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares reports with files, byte by byte. */
class VerificationTest {
  private static final Instant STARTED = Instant.parse("2024-01-01T00:00:00Z");
  private static final Path FILES = Path.of("src/test/resources/reports");

  private static void compare(
      @Nullable Verification found, ExitCode exitCode, String message, String name)
      throws IOException {
    assertThat(Verification.json(found, exitCode, message, STARTED, STARTED.plusMillis(2500)))
        .isEqualTo(Files.readString(FILES.resolve(name + ".json")));
    if (found != null) {
      assertThat(found.table()).isEqualTo(Files.readString(FILES.resolve(name + ".txt")));
    }
  }

  private static Verification found(long read) {
    Tally tally = new Tally();
    tally.add(Count.POINTS_READ, read);
    tally.add(Count.DUPLICATES_IDENTICAL, 4);
    tally.add(Count.DUPLICATES_CONFLICTING, 5);
    long next = 201;
    for (RejectReason reason : RejectReason.values()) {
      tally.reject(reason, next++);
    }
    for (SkipKind kind : SkipKind.values()) {
      tally.skip(kind, next++);
    }
    Findings findings = new Findings();
    findings.same(1_000_000);
    findings.missing(() -> "m 1 1 a=b");
    findings.missing(() -> "m 2 1 a=b");
    findings.different(() -> "m 3 1 a=b");
    return new Verification(tally, findings);
  }

  @Test
  void pointsAreMissing() throws IOException {
    compare(found(1_003_132), ExitCode.BAD_INPUT, "points are missing", "verify-missing");
  }

  @Test
  void allPointsAreThere() throws IOException {
    Tally tally = new Tally();
    tally.add(Count.POINTS_READ, 12);
    tally.skip(SkipKind.NAN, 2);
    Findings findings = new Findings();
    findings.same(10);
    compare(new Verification(tally, findings), ExitCode.DONE, "", "verify-done");
  }

  @Test
  void theComparisonWasNotCompleted() throws IOException {
    compare(null, ExitCode.OUTSIDE, "HBase is away", "verify-stopped");
  }
}
