package io.tsdbsuite.nightly.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.report.NightResult.TierDay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares reports with files, byte by byte. */
class NightReportFileTest {
  private static final Instant STARTED = Instant.parse("2026-11-21T03:00:00Z");

  @TempDir Path directory;

  private void compare(NightResult result, String name) throws IOException {
    Path file = directory.resolve("night.json");
    NightReportFile.write(file, result, STARTED, STARTED.plusMillis(2500));
    assertThat(Files.readString(file))
        .isEqualTo(Files.readString(Path.of("src/test/resources/reports", name)));
  }

  @Test
  void nothingIsDue() throws IOException {
    compare(new NightResult(), "night-idle.json");
  }

  @Test
  void daysAndNotes() throws IOException {
    NightResult result = new NightResult();
    result.day(LocalDate.of(2026, 11, 18)).rolledUp("rolled up");
    result.day(LocalDate.of(2026, 11, 18)).notCovered("no \"proof\"");
    result.day(LocalDate.of(2026, 11, 19)).rolledUp("rolled up");
    result.day(LocalDate.of(2026, 11, 19)).notCovered("no table");
    result.day(LocalDate.of(2026, 11, 20)).waits("no snapshot");
    result.tierDay(TierDay.REFUSED, "raw", "2026-11-02", "app.*", "7 are missing");
    result.tierDay(TierDay.PROVEN, "1h", "2025-11-01", "app.*", "");
    result.tierDay(TierDay.PROVEN, "1h", "2025-11-02", "app.*", "");
    result.tierDay(TierDay.DELETED, "raw", "2026-11-01", "app.*", "");
    result.add("pruned");
    result.fail(JobException.outside("HBase is\n away", new IOException("away")));
    compare(result, "night-failed.json");
  }
}
