package io.tsdbsuite.rollup.tiers.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which proofs count for a day. */
class ProofDayTest {
  private static final Proof PROOF = ProofStoreTest.proof();
  private static final int DAY = (int) (PROOF.from().getEpochSecond() / ProofDay.DAY);

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

  private ProofDay day(Proof.Selection entry) {
    return new ProofDay(evidence, DAY, DAY + 1, entry, "", Instant.MIN);
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
    ProofDay day = day(PROOF.policy());
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
    assertThat(day(changed).isOf(PROOF)).isFalse();
  }
}
