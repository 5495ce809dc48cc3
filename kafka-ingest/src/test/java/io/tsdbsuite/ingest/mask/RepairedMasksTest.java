package io.tsdbsuite.ingest.mask;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.mask.MaskStats.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Repairs remove the masks that they have read. */
class RepairedMasksTest {
  private static final long HOUR = 3600;
  private static final long DELAY = 300_000;

  /** When the masks are new no more. */
  private static final long SETTLED = 6 + 120_000;

  private static final Map<String, Long> CELLS = Map.of("late/0A", 5L, "lost/0A", 6L);

  private final List<Map<String, Long>> deleted = new ArrayList<>();
  private final MaskStats stats = new MaskStats();
  private RuntimeException failure;

  private final RepairedMasks masks =
      new RepairedMasks(
          new Store(),
          stats,
          DELAY,
          new Ticker() {
            @Override
            public long read() {
              return 0;
            }
          });

  private final class Store extends MaskTable {
    Store() {
      super(null, "a-table");
    }

    @Override
    public Deferred<Boolean> exists() {
      return Deferred.fromResult(true);
    }

    @Override
    public Deferred<Map<String, Long>> read(long hour, String metric, String tsuid) {
      return failure != null
          ? Deferred.fromError(failure)
          : Deferred.fromResult(hour == HOUR ? CELLS : Map.of());
    }

    @Override
    public Deferred<Object> delete(long hour, String metric, Map<String, Long> cells) {
      deleted.add(cells);
      return Deferred.fromResult("");
    }
  }

  private void repair(boolean allWritten) throws Exception {
    Map<Long, Map<String, Long>> read = masks.read(List.of(0L, HOUR), SETTLED, 6, "m", "0A").join();
    for (Map.Entry<Long, Map<String, Long>> each : read.entrySet()) {
      Object unused = masks.remove(each.getKey(), "m", each.getValue(), allWritten).join();
    }
  }

  @Test
  void onlyHoursWithMasksAreFound() throws Exception {
    assertThat(masks.read(List.of(0L, HOUR, 2 * HOUR), SETTLED, 6, "m", "0A").join())
        .isEqualTo(Map.of(HOUR, CELLS));
  }

  /** They stand for buckets that the repair leaves, too. */
  @Test
  void laterMasksStay() throws Exception {
    assertThat(masks.read(List.of(HOUR), SETTLED, 5, "m", "0A").join())
        .isEqualTo(Map.of(HOUR, Map.of("late/0A", 5L)));
    assertThat(masks.read(List.of(HOUR), SETTLED, 4, "m", "0A").join()).isEmpty();
  }

  /** A point over HTTP may be stored after its first mask. */
  @Test
  void newMasksStay() throws Exception {
    assertThat(masks.read(List.of(HOUR), SETTLED - 1, Long.MAX_VALUE, "m", "0A").join())
        .isEqualTo(Map.of(HOUR, Map.of("late/0A", 5L)));
    assertThat(masks.read(List.of(HOUR), SETTLED - 2, Long.MAX_VALUE, "m", "0A").join()).isEmpty();
    // Equal requests are left out for half of the delay: longer, a mask had no request of its own.
    RepairedMasks soon = new RepairedMasks(new Store(), stats, 100, Ticker.systemTicker());
    assertThat(soon.read(List.of(HOUR), 56, Long.MAX_VALUE, "m", "0A").join())
        .isEqualTo(Map.of(HOUR, CELLS));
    assertThat(soon.read(List.of(HOUR), 54, Long.MAX_VALUE, "m", "0A").join()).isEmpty();
  }

  @Test
  void whatWasReadIsRemoved() throws Exception {
    repair(true);
    repair(false);
    assertThat(deleted).containsExactly(CELLS, Map.of("late/0A", 5L));
    assertThat(stats.get(Count.UNREAD)).isZero();
  }

  /** The clock of the TSD is behind that of HBase, which has the snapshots. */
  @Test
  void noSnapshotWithoutThePointsReplacesARepair() {
    assertThat(RepairedMasks.asOf(100_000, Map.of())).isEqualTo(100_000);
    assertThat(RepairedMasks.asOf(100_000, Map.of(HOUR, Map.of("late/0A", 40_000L))))
        .isEqualTo(100_000);
    Map<String, Long> newer = Map.of("late/0A", 50_000L, "lost/0A", 45_000L);
    assertThat(RepairedMasks.asOf(100_000, Map.of(0L, Map.of("late/0A", 44_000L), HOUR, newer)))
        .isEqualTo(110_000);
  }

  @Test
  void whatCannotBeReadStaysAndIsCounted() throws Exception {
    failure = new IllegalStateException("no region");
    repair(true);
    repair(true);
    assertThat(deleted).isEmpty();
    assertThat(stats.get(Count.UNREAD)).isEqualTo(2);
  }
}
