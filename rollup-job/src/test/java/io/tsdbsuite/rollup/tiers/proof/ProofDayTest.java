package io.tsdbsuite.rollup.tiers.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
        "\"entry\" : 2,\"entry\" : 3",
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

  @Test
  void ofAnotherPolicyItDoesNotCountEither() {
    String other = "f".repeat(64);
    Proof.Selection entry = PROOF.policy();
    Proof.Selection changed =
        new Proof.Selection(
            entry.entry(), entry.match(), entry.metrics(), new TreeMap<>(entry.keepDays()), other);
    ProofDay day = new ProofDay(evidence, DAY, DAY + 1, changed, "", Instant.MIN, false);
    assertThat(day.isOf(PROOF)).isFalse();
  }

  private List<Integer> order(int maxDays) {
    Collections.reverse(days);
    DaySearch.order(days, maxDays);
    return days.stream().map(day -> day.day() - DAY).toList();
  }

  @Test
  void theOldestDayComesFirst() {
    day(0, "2026-11-02T00:00:00Z", false);
    day(1, "2026-11-01T00:00:00Z", false);
    day(2, "", true);
    day(3, "", false);
    day(4, "", true);
    day(5, "", false);
    assertThat(order(31)).containsExactly(2, 3, 4, 5, 1, 0);
  }

  /** Four days are refused each night, and two are compared. */
  @Test
  void refusedDaysLeaveHalfToTheOthers() {
    for (int i = 0; i < 4; i++) {
      day(i, "", true);
    }
    day(4, "", false);
    day(5, "", false);
    day(6, "2026-11-01T00:00:00Z", false);
    assertThat(order(2)).containsExactly(0, 4, 5, 6, 1, 2, 3);
    assertThat(order(4)).containsExactly(0, 1, 4, 5, 6, 2, 3);
    assertThat(order(1)).containsExactly(4, 5, 6, 0, 1, 2, 3);
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
