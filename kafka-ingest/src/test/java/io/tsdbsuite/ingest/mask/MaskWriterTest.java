package io.tsdbsuite.ingest.mask;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.CoverageMask.Kind;
import io.tsdbsuite.ingest.mask.MaskStats.Count;
import io.tsdbsuite.testkit.Await;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Masks that wait together are written together, and each writer learns what has become of it. */
class MaskWriterTest {
  private static final long HOUR = 1_700_006_400;

  private static final long DAY = 86_400;

  private final AtomicLong now = new AtomicLong();
  private final Queue<Map<String, List<String>>> puts = new ConcurrentLinkedQueue<>();
  private final List<Object> outcomes = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean exists = true;
  private volatile RuntimeException failure;
  private volatile RuntimeException unknown;

  private final Ticker ticker =
      new Ticker() {
        @Override
        public long read() {
          return now.get();
        }
      };

  private final MaskWriter writer =
      new MaskWriter(
          "mask-writer-test",
          new Store(),
          new MaskLimits(1000, 1000),
          new RawTtl(10 * DAY),
          60_000,
          TestFloors.of(HOUR - HOUR % DAY, "web.*", Clock.systemUTC(), ticker),
          ticker);

  private final class Store extends MaskTable {
    Store() {
      super(null, "a-table");
    }

    @Override
    public Deferred<Boolean> exists() {
      return unknown == null ? Deferred.fromResult(exists) : Deferred.fromError(unknown);
    }

    @Override
    public Deferred<Object> put(Map<String, List<String>> rows) {
      puts.add(rows);
      return failure == null ? Deferred.fromResult("") : Deferred.fromError(failure);
    }

    @Override
    public Deferred<MaskTable.Size> size() {
      return Deferred.fromResult(new MaskTable.Size());
    }
  }

  @AfterEach
  void close() {
    writer.close();
  }

  private void write(int tsuid) {
    writer.write(
        masks -> masks.add(Kind.LATE, HOUR, "m", String.format("%06X", tsuid)),
        failed -> outcomes.add(failed == null ? "written" : failed));
  }

  private void await(int number) {
    Await.until("the outcomes", Duration.ofMinutes(1), () -> outcomes.size() == number);
  }

  private void awaitTheLook() {
    Await.until("the look for the table", Duration.ofMinutes(1), writer::isOn);
  }

  @Test
  void masksThatWaitAreWrittenTogetherAndOnce() {
    for (int i = 0; i < 1000; i++) {
      write(i % 10);
    }
    await(1000);
    assertThat(outcomes).containsOnly("written");
    assertThat(puts.size()).isLessThan(100);
    assertThat(puts).allSatisfy(rows -> assertThat(rows.values()).allMatch(x -> x.size() <= 10));
    assertThat(writer.stats().get(Count.WRITTEN)).isPositive();
    assertThat(writer.stats().get(Count.FAILURES)).isZero();
  }

  @Test
  void aFailureIsToldAndTheNextWriteWorks() {
    failure = new IllegalStateException("no region");
    write(1);
    await(1);
    assertThat(outcomes).containsExactly(failure);
    assertThat(writer.stats().get(Count.FAILURES)).isEqualTo(1);
    failure = null;
    write(2);
    await(2);
    assertThat(outcomes.get(1)).isEqualTo("written");
  }

  @Test
  void aSourceThatFailsIsAFailure() {
    writer.write(
        masks -> {
          throw new IllegalStateException("no UID");
        },
        failed -> outcomes.add(failed == null ? "written" : failed.getMessage()));
    await(1);
    assertThat(outcomes).containsExactly("no UID");
    assertThat(puts).isEmpty();
  }

  @Test
  void withoutATableNobodyWaits() {
    exists = false;
    assertThat(writer.isOn()).as("not known yet").isTrue();
    write(1);
    await(1);
    assertThat(writer.isOn()).isFalse();
    exists = true;
    write(2);
    assertThat(outcomes).as("at once").containsExactly("written", "written");
    assertThat(puts).isEmpty();
    assertThat(writer.stats().get(Count.SKIPPED)).isEqualTo(2);
    now.addAndGet(TimeUnit.SECONDS.toNanos(5));
    write(3);
    awaitTheLook();
    write(4);
    await(4);
    assertThat(puts).hasSize(1);
  }

  /** It may exist, and queries may use its windows. */
  @Test
  void whileItIsUnknownWhetherThereIsATableNothingIsAcknowledged() {
    unknown = new IllegalStateException("no meta");
    write(1);
    await(1);
    assertThat(outcomes).containsExactly(unknown);
    assertThat(writer.isOn()).isTrue();
    unknown = null;
    exists = false;
    write(2);
    await(2);
    assertThat(writer.isOn()).isFalse();
    now.addAndGet(TimeUnit.SECONDS.toNanos(5));
    unknown = new IllegalStateException("no meta again");
    write(3);
    await(3);
    assertThat(outcomes).as("it was missing").endsWith("written", "written");
    awaitTheLook();
    write(4);
    await(4);
    assertThat(outcomes).endsWith(unknown);
    assertThat(puts).isEmpty();
  }

  @Test
  void aDayThatMayHaveExpiredIsLeftOut() {
    long day = HOUR - HOUR % DAY;
    long whole = (day + 9 * DAY) * 1000;
    assertThat(writer.leavesOut("m", day, whole, true)).isFalse();
    assertThat(writer.leavesOut("m", day - 3600, whole, true)).isTrue();
    assertThat(writer.leavesOut("m", day - 3600, whole, false)).as("counted before").isTrue();
    boolean part = writer.leavesOut("m", day + DAY - 3600, whole + 1000, true);
    assertThat(part).as("a part of the day").isTrue();
    assertThat(writer.stats().get(Count.EXPIRED)).isEqualTo(2);
  }

  /** Their masks are needed if the raw data come back. */
  @Test
  void pointsBelowTheFloorAreCountedAndMasked() {
    long day = HOUR - HOUR % DAY;
    long stored = (day + 8 * DAY) * 1000;
    assertThat(writer.leavesOut("web.a", day - 3600, stored, true)).isFalse();
    assertThat(writer.leavesOut("web.a", day - 3600, stored, false)).isFalse();
    assertThat(writer.leavesOut("web.a", day, stored, true)).isFalse();
    assertThat(writer.leavesOut("db.a", day - 3600, stored, true)).isFalse();
    assertThat(writer.stats().get(Count.BELOW_FLOOR)).isEqualTo(1);
    assertThat(writer.leavesOut("web.a", day - 3600, stored + 2 * DAY * 1000, true)).isTrue();
    assertThat(writer.stats().get(Count.BELOW_FLOOR)).as("expired, too").isEqualTo(2);
  }

  @Test
  void afterTheEndNothingIsWritten() {
    writer.close();
    write(1);
    assertThat(outcomes.get(0)).isInstanceOf(IllegalStateException.class);
  }
}
