package io.tsdbsuite.planner.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.planner.MemoryReports;
import io.tsdbsuite.planner.SampleReport;
import io.tsdbsuite.planner.run.CommandOptions;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VerifyDaysTest {
  /** The day of the night before; its run ended before the snapshots of this night. */
  private static final LocalDate DAY = LocalDate.parse("2026-11-19");

  private static final Instant TAKEN = Instant.parse("2026-11-21T00:30:00Z");

  private final MemoryReports runs = new MemoryReports();
  private final MemoryReports verifications = new MemoryReports();

  /** Days whose reports are of other settings. */
  private final Set<LocalDate> others = new HashSet<>();

  /** Days whose rollups were not yet in HBase. */
  private final Set<LocalDate> notStored = new HashSet<>();

  private final VerifyDays days =
      new VerifyDays(runs, day -> !others.contains(day), verifications::find);

  private static LocalDate before(int count) {
    return DAY.minusDays(count);
  }

  /** Creation time of the snapshot of the night after a day. */
  private static Instant night(LocalDate day) {
    return day.plusDays(1).atTime(0, 30).toInstant(ZoneOffset.UTC);
  }

  private static Instant ended(LocalDate day) {
    return night(day).plusSeconds(5000);
  }

  private SampleReport run(LocalDate day, LocalDate read) {
    return SampleReport.done(day, night(read), night(read).plusSeconds(10)).ended(ended(read));
  }

  private void ran(LocalDate day) {
    runs.put(day, run(day, day));
  }

  private void verified(LocalDate day, int exitCode, Instant ended) {
    // Of a verification no more than the exit code and the end are read.
    SampleReport report = run(day, day).ended(ended);
    verifications.put(day, exitCode == 0 ? report : report.failed(exitCode));
  }

  private VerifyNight night() throws IOException {
    return VerifyNight.of(
        days,
        new VerifyDays.Window(LocalDate.MIN, DAY, 7),
        TAKEN,
        (day, run) -> !notStored.contains(day));
  }

  @Test
  void aDayIsDueUntilAVerificationOfItsRunSucceeds() throws IOException {
    assertThat(days.isDue(DAY)).isFalse();
    runs.put(DAY, run(DAY, DAY).failed(1));
    assertThat(days.isDue(DAY)).isFalse();
    ran(DAY);
    assertThat(days.isDue(DAY)).isTrue();
    verified(DAY, 1, ended(DAY).plusSeconds(1));
    assertThat(days.isDue(DAY)).isTrue();
    verified(DAY, 0, ended(DAY).minusSeconds(1));
    assertThat(days.isDue(DAY)).isTrue();
    verified(DAY, 0, ended(DAY));
    assertThat(days.isDue(DAY)).isFalse();
    ran(before(1));
    others.add(before(1));
    assertThat(days.isDue(before(1))).isFalse();
  }

  @Test
  void daysBeforeTheWindowAreTold() throws IOException {
    VerifyDays.Window window = new VerifyDays.Window(before(4), DAY, 3);
    assertThat(window.days()).containsExactly(before(2), before(1), DAY);
    for (int back = 0; back < 8; back++) {
      ran(before(back));
    }
    assertThat(days.left(window, Set.of())).containsExactly(before(4), before(3));
    assertThat(days.left(window, Set.of(before(4)))).containsExactly(before(3));
    verified(before(3), 0, TAKEN);
    assertThat(days.left(window, Set.of(before(4)))).isEmpty();
  }

  @Test
  void aNightVerifiesTheDayOfTheNightBefore() throws IOException {
    assertThat(night().runs()).isEmpty();
    ran(before(1));
    verified(before(1), 0, TAKEN);
    ran(DAY);
    VerifyNight night = night();
    assertThat(night.runs()).containsOnlyKeys(DAY);
    assertThat(night.runs().get(DAY).dataSnapshotTime()).contains(night(DAY));
    assertThat(night.left()).isEmpty();
    verified(DAY, 0, TAKEN);
    assertThat(night().runs()).isEmpty();
  }

  /** After an outage one night runs several days from one snapshot. */
  @Test
  void allDaysOfTheNightBefore() throws IOException {
    ran(before(4));
    ran(before(3));
    verified(before(3), 1, TAKEN);
    runs.put(before(2), run(before(2), DAY));
    runs.put(before(1), run(before(1), DAY));
    ran(DAY);
    assertThat(night().runs()).containsOnlyKeys(before(2), before(1), DAY);
    // Runs since then may have stored late data that its snapshot lacks. No day was verified
    // before.
    assertThat(night().left()).containsExactly(before(3));
  }

  /** The snapshots of the rollup tables may lack some of its rollups. */
  @Test
  void aRunThatHasEndedSinceTheSnapshotsIsLeftToTheNextNight() throws IOException {
    ran(before(1));
    runs.put(DAY, run(DAY, DAY).ended(TAKEN.plusMillis(1)));
    assertThat(night().runs()).containsOnlyKeys(before(1));
    assertThat(night().left()).isEmpty();
    runs.put(DAY, run(DAY, DAY).ended(TAKEN));
    assertThat(night().runs()).containsOnlyKeys(DAY);
  }

  /** HFiles that a night could not load; the days before it may have got late data from them. */
  @Test
  void aDayThatIsNotStoredIsLeftToTheNextNight() throws IOException {
    ran(before(1));
    verified(before(1), 1, TAKEN);
    ran(DAY);
    notStored.add(DAY);
    assertThat(night().runs()).isEmpty();
    assertThat(night().left()).containsExactly(before(1));
    notStored.clear();
    assertThat(night().runs()).containsOnlyKeys(DAY);
  }

  /** It may have sent late data of the days before. */
  @Test
  void afterAFailedRunNothingFits() throws IOException {
    verified(before(2), 0, TAKEN);
    ran(before(2));
    ran(before(1));
    runs.put(DAY, run(DAY, DAY).failed(3));
    assertThat(night().runs()).isEmpty();
    assertThat(night().left()).containsExactly(before(1));
  }

  @Test
  void whatARunAcceptsItsVerificationAcceptsToo() {
    CommandOptions run =
        new CommandOptions(
            List.of(
                "--tsd-config=opentsdb.conf",
                "--interval",
                "1h,1d",
                "--tsd.storage.salt.width",
                "1",
                "--max-failed-rows",
                "5",
                "--allow-empty",
                "--metrics",
                "sys.*",
                "--max-messages-per-second",
                "9"));
    List<String> input =
        List.of(
            "verify",
            "--snapshot-root",
            "s3a://backup/hbase",
            "--data-snapshot",
            "tsdb-20261120",
            "--uid-snapshot",
            "tsdb-uid-20261121",
            "--day",
            "2026-11-19",
            "--tsd-config",
            "opentsdb.conf",
            "--tsd.storage.salt.width=1",
            "--interval",
            "1h,1d",
            "--max-failed-rows",
            "5");
    assertThat(list(new VerifyArguments(run, "1%", "")))
        .startsWith(input.toArray(String[]::new))
        .endsWith("--allow-empty", "--metrics", "sys.*", "--sample", "1%")
        .hasSize(input.size() + 5);
    // A misspelled metric would pass as verified.
    assertThat(list(new VerifyArguments(run, "0.5", "app.*")))
        .startsWith(input.toArray(String[]::new))
        .endsWith("--metrics", "app.*", "--sample", "0.5")
        .hasSize(input.size() + 4);
  }

  private static List<String> list(VerifyArguments arguments) {
    return arguments.list("s3a://backup/hbase", "tsdb-20261120", "tsdb-uid-20261121", DAY);
  }
}
