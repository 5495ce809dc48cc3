package io.tsdbsuite.query.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.Buckets;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.coverage.TimeRanges;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldProofTest {
  private static final long HOUR = 3_600_000;

  private static int asked;

  private long now = 5_000;
  private Reading current = new Reading(0, TimeRanges.of(0, 3 * HOUR));

  /** A reading of the coverage of one table. */
  private record Reading(long began, TimeRanges stored, long rawFloor) implements ProvenTimes {
    Reading(long began, TimeRanges stored) {
      this(began, stored, 0);
    }

    @Override
    public long rawFloor(String metric) {
      return metric.equals("m") ? rawFloor : 0;
    }

    @Override
    public TimeRanges proven(String interval, long widthMillis, String metric) {
      return stored.minus(TimeRanges.of(HOUR, 2 * HOUR));
    }

    @Override
    public TimeRanges stored(String interval, long widthMillis, String metric) {
      asked++;
      return interval.equals("1h") && metric.equals("m") ? stored : TimeRanges.none();
    }
  }

  private HeldProof proof() {
    return proof(TimeRanges.of(0, 3 * HOUR));
  }

  private HeldProof proof(TimeRanges proven) {
    QueryPlan plan =
        QueryPlan.cheapest(
            0,
            4 * HOUR,
            Buckets.every(HOUR),
            List.of(new QueryPlan.Table("1h", HOUR, proven)),
            (table, from, to) -> table == null ? to - from : 1,
            9);
    return new HeldProof("m", plan.pieces(), current, () -> current, () -> now);
  }

  @Test
  void aReadingHoldsForAMinute() {
    HeldProof proof = proof();
    now = 60_000;
    assertThatCode(proof::check).doesNotThrowAnyException();
    now = 60_001;
    assertThatThrownBy(proof::check)
        .isInstanceOf(NoLongerProvenException.class)
        .hasMessageContaining("older than a minute");
  }

  @Test
  void laterReadingsHoldALongQueryAlsoIfPiecesAreMasked() {
    HeldProof proof = proof();
    for (int i = 1; i < 20; i++) {
      now = 50_000L * i + 10_000;
      current = new Reading(50_000L * i, TimeRanges.of(0, 5 * HOUR));
      assertThatCode(proof::check).doesNotThrowAnyException();
    }
  }

  /** The plan reads raw data from three hours on. */
  @Test
  void aFloorThatRisesOverRawDataEndsTheProof() {
    HeldProof proof = proof();
    current = new Reading(4_000, TimeRanges.of(0, 3 * HOUR), 3 * HOUR);
    assertThatCode(proof::check).doesNotThrowAnyException();
    current = new Reading(4_500, TimeRanges.of(0, 3 * HOUR), 3 * HOUR + 1);
    assertThatThrownBy(proof::check)
        .isInstanceOf(NoLongerProvenException.class)
        .hasMessageContaining("raw data that was read may be gone");
  }

  @Test
  void rawDataAloneNeedNoNewReading() {
    QueryPlan raw = QueryPlan.raw(HOUR, 2 * HOUR, (table, from, to) -> 0);
    HeldProof proof = new HeldProof("m", raw.pieces(), current, () -> current, () -> now);
    now = 600_000;
    current = new Reading(500_000, TimeRanges.none(), HOUR);
    assertThatCode(proof::check).doesNotThrowAnyException();
    current = new Reading(500_000, TimeRanges.none(), HOUR + 1);
    assertThatThrownBy(proof::check).isInstanceOf(NoLongerProvenException.class);
  }

  /** The times of a table are computed once for all pieces. */
  @Test
  void aReadingIsAskedOnceForATable() {
    HeldProof proof = proof(TimeRanges.of(0, HOUR).plus(TimeRanges.of(2 * HOUR, 3 * HOUR)));
    current = new Reading(4_000, TimeRanges.of(0, 3 * HOUR));
    asked = 0;
    proof.check();
    assertThat(asked).isEqualTo(1);
  }

  /** Between two readings windows could have been removed, and written again with new rollups. */
  @Test
  void aGapBetweenReadingsEndsTheProof() {
    HeldProof proof = proof();
    now = 61_000;
    current = new Reading(60_001, TimeRanges.of(0, 3 * HOUR));
    assertThatThrownBy(proof::check)
        .isInstanceOf(NoLongerProvenException.class)
        .hasMessageContaining("not read for a minute");
  }

  @Test
  void removedWindowsEndTheProof() {
    HeldProof proof = proof();
    current = new Reading(4_000, TimeRanges.of(0, 3 * HOUR - 1));
    assertThatThrownBy(proof::check)
        .isInstanceOf(NoLongerProvenException.class)
        .hasMessageContaining("it lacks 1h [0, 10800000)");
  }
}
