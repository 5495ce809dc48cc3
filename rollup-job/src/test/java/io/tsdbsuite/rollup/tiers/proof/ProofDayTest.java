package io.tsdbsuite.rollup.tiers.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which proofs count for a day, and the order of the days. */
class ProofDayTest {
  private static final Proof PROOF = ProofStoreTest.proof();
  private static final int DAY = (int) (PROOF.from().getEpochSecond() / ProofDay.DAY);

  private final List<ProofDay> days = new ArrayList<>();
  private Evidence evidence;

  @BeforeEach
  void evidence() throws Exception {
    Configuration conf = new Configuration(false);
    evidence =
        new Evidence(
            "raw",
            new Snapshot(
                "d",
                "tsdb",
                0,
                true,
                conf,
                FileSystem.getLocal(conf),
                ColumnFamilyDescriptorBuilder.of("t"),
                List.of()),
            PROOF.cluster(),
            PROOF.schema(),
            PROOF.aggregatorIds(),
            PROOF.suite(),
            PROOF.anyBucket(),
            PROOF.data(),
            PROOF.rollups());
  }

  private ProofDay day(int number, String former, boolean refused) {
    Instant at = former.isEmpty() ? Instant.MIN : Instant.parse(former);
    ProofDay day =
        new ProofDay(evidence, DAY + number, DAY + number + 1, PROOF.policy(), "", at, refused);
    days.add(day);
    return day;
  }

  /** Apply would refuse it. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "\"raw\" : 30,\"raw\" : 31",
        "\"1h\" : 390,\"6h\" : 390",
        "\"match\" : \"app.*\",\"match\" : \"app.?\"",
        "!app.debug.*,!app.a",
        "2026-10-28T00:00:00Z,2026-10-29T00:00:00Z",
        "\"cluster\" : \"\",\"cluster\" : \"c\"",
        "\"tsd.storage.salt.width\" : \"1\",\"tsd.storage.salt.width\" : \"0\"",
        "\"count\" : 2,\"count\" : 1",
        "\"anyBucket\" : false,\"anyBucket\" : true",
        "\"table\" : \"tsdb\",\"table\" : \"other\"",
        "\"snapshot\" : \"d\",\"snapshot\" : \"e\"",
        "02:00:00.123Z,02:00:00.124Z",
        "\"table\" : \"tsdb-rollup-1h\",\"table\" : \"other\"",
        "\"snapshot\" : \"r\",\"snapshot\" : \"s\""
      })
  void aProofOfSomethingElseDoesNotCount(String text, String instead) {
    ProofDay day = day(0, "", false);
    assertThat(day.isOf(PROOF)).isTrue();
    assertThat(day.isOf(ProofStoreTest.proof(text, instead))).isFalse();
  }

  /** The rows that go, and what is compared, may be others. */
  @Test
  void aProofOfAnotherSuiteDoesNotCount() {
    Evidence changed =
        new Evidence(
            "raw",
            evidence.snapshot(),
            PROOF.cluster(),
            PROOF.schema(),
            PROOF.aggregatorIds(),
            "{}",
            PROOF.anyBucket(),
            PROOF.data(),
            PROOF.rollups());
    ProofDay day = new ProofDay(changed, DAY, DAY + 1, PROOF.policy(), "", Instant.MIN, false);
    assertThat(day.isOf(PROOF)).isFalse();
  }

  /** Of another file with the same entry, at another place. */
  @Test
  void numberOfTheEntryAndHashOfThePolicyDoNotMatter() {
    Proof.Selection entry = PROOF.policy();
    Proof.Selection moved =
        new Proof.Selection(
            entry.entry() + 1, entry.match(), entry.metrics(), entry.keepDays(), "f".repeat(64));
    assertThat(moved).isNotEqualTo(entry);
    ProofDay day = new ProofDay(evidence, DAY, DAY + 1, moved, "", Instant.MIN, false);
    assertThat(day.isOf(PROOF)).isTrue();
  }

  /** Else the next search would take a day that waits, or has waited, for a refused one. */
  @Test
  void aDayThatWaitsHasNoReport(@TempDir Path proofs) throws Exception {
    ProofStore store = new ProofStore(proofs.toString(), new Configuration());
    ProveOptions options = new ProveOptions(null, null, 1, null, null, 0, false, 1, "");
    DayComparison comparison =
        new DayComparison(null, options, store, new CoverageRule(options, null), Clock.systemUTC());
    String file = PROOF.fileName();
    ProofDay day = new ProofDay(evidence, DAY, DAY + 1, PROOF.policy(), file, Instant.MIN, false);
    String report = ProofStore.reportName(file);
    Files.writeString(proofs.resolve(file), "");
    Files.writeString(proofs.resolve(report), "");
    comparison.without(day, ProveReport.Outcome.REFUSED, "", report);
    assertThat(store.names()).isEmpty();
    assertThat(store.reports()).containsExactly(report);
    comparison.without(day, ProveReport.Outcome.WAITING, "", "");
    assertThat(store.reports()).isEmpty();
  }

  private List<Integer> order(int maxDays) {
    Collections.reverse(days);
    return DaySearch.order(List.of("raw"), days, maxDays).stream()
        .map(day -> day.day() - DAY)
        .toList();
  }

  @Test
  void theOldestDayComesFirst() {
    day(0, "2026-11-03T00:00:00Z", false);
    day(1, "2026-11-02T00:00:00Z", false);
    day(2, "2026-11-01T00:00:00Z", false);
    day(3, "", true);
    day(4, "", false);
    day(5, "", true);
    day(6, "", false);
    assertThat(order(31)).containsExactly(0, 3, 4, 5, 6, 2, 1);
    assertThat(order(1)).containsExactly(0, 4, 6, 2, 1, 3, 5);
  }

  /** Nothing of its entry can go before it. */
  @Test
  void theOldestDayComesFirstThoughItWasRefused() {
    day(0, "", true);
    day(1, "", false);
    assertThat(order(1)).containsExactly(0, 1);
  }

  /** Days of one entry that are refused for ever must not hold back another entry. */
  @Test
  void theOldestDayOfEachEntryComesFirst() {
    for (int i = 0; i < 4; i++) {
      day(i, "", true);
    }
    Proof.Selection entry = PROOF.policy();
    Proof.Selection other =
        new Proof.Selection(
            entry.entry() + 1, "b.*", List.of("b.*"), entry.keepDays(), entry.sha256());
    days.add(new ProofDay(evidence, DAY + 7, DAY + 8, other, "", Instant.MIN, true));
    days.add(new ProofDay(evidence, DAY + 8, DAY + 9, other, "", Instant.MIN, false));
    assertThat(order(2)).containsExactly(0, 7, 8, 1, 2, 3);
    assertThat(order(4)).containsExactly(0, 7, 1, 8, 2, 3);
  }

  /** As apply does; a year of rollups that fails must not hold back raw data. */
  @Test
  void tablesComeOneAfterTheOther() {
    day(5, "", false);
    day(6, "2026-11-01T00:00:00Z", false);
    Evidence hours =
        new Evidence(
            "1h",
            evidence.snapshot(),
            PROOF.cluster(),
            PROOF.schema(),
            PROOF.aggregatorIds(),
            PROOF.suite(),
            PROOF.anyBucket(),
            PROOF.data(),
            PROOF.rollups());
    days.add(new ProofDay(hours, DAY, DAY + 1, PROOF.policy(), "", Instant.MIN, false));
    Collections.reverse(days);
    assertThat(DaySearch.order(List.of("raw", "1h"), days, 31))
        .extracting(ProofDay::table)
        .containsExactly("raw", "raw", "1h");
  }

  /** Four days are refused each night, and two are compared. */
  @Test
  void refusedDaysLeaveHalfOfTheRestToTheOthers() {
    for (int i = 0; i < 4; i++) {
      day(i, "", true);
    }
    day(4, "", false);
    day(5, "", false);
    day(6, "2026-11-01T00:00:00Z", false);
    assertThat(order(1)).containsExactly(0, 4, 5, 6, 1, 2, 3);
    assertThat(order(2)).containsExactly(0, 4, 5, 6, 1, 2, 3);
    assertThat(order(4)).containsExactly(0, 1, 4, 5, 6, 2, 3);
    assertThat(order(5)).containsExactly(0, 1, 2, 4, 5, 6, 3);
  }

  /** Days count, not their entries. */
  @Test
  void allEntriesOfADayAreOne() {
    day(0, "", true);
    day(0, "", true);
    day(1, "", true);
    day(2, "", false);
    assertThat(order(2)).containsExactly(0, 0, 2, 1);
  }
}
