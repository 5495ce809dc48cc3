package io.tsdbsuite.ingest.mask;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Ticker;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The masks of points of which only their arrival is known. */
class PublishedMasksTest {
  private static final long HOUR = 1_700_006_400;
  private static final long LATE = (HOUR + 3600) * 1000 + 60_001;
  private static final String A = "mask/1700006400/m late/00000A";
  private static final String B = "mask/1700006400/m late/00000B";

  private final AtomicLong now = new AtomicLong(LATE);
  private long skew;
  private long expired;
  private boolean answersAtOnce;
  private Error broken;
  private final Queue<List<String>> written = new ArrayDeque<>();
  private final List<String> requested = new ArrayList<>();
  private final List<String> left = new ArrayList<>();
  private final Queue<Consumer<Throwable>> answers = new ArrayDeque<>();
  private final PublishedMasks masks =
      new PublishedMasks(
          new Sink(),
          new MaskLimits(1000, 1000),
          new PublishedMasks.Requests() {
            @Override
            public void late(long hour, String metric, Map<String, String> tags) {
              requested.add(hour + " " + metric + " " + tags);
            }

            @Override
            public void leave(String reason) {
              left.add(reason);
            }
          },
          new ManualClock(),
          new Ticker() {
            @Override
            public long read() {
              return TimeUnit.MILLISECONDS.toNanos(now.get());
            }
          },
          turn -> () -> {});

  private final class ManualClock extends Clock {
    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(now.get() + skew);
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }
  }

  private final class Sink implements MaskSink {
    @Override
    public boolean leavesOut(String metric, long hour, long millis, boolean isFirst) {
      return hour < expired;
    }

    @Override
    public void write(Source source, Consumer<Throwable> done) {
      if (broken != null) {
        throw broken;
      }
      MaskSet set = new MaskSet(new MaskLimits(1000, 1000));
      try {
        source.addTo(set);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      written.add(MaskRows.of(set));
      if (answersAtOnce) {
        done.accept(null);
      } else {
        answers.add(done);
      }
    }
  }

  private void add(int tsuid) {
    masks.add("m", HOUR + 7, Map.of("t", "v" + tsuid), new byte[] {0, 0, (byte) tsuid});
  }

  private void addSeries(int from, int to) {
    for (int i = from; i < to; i++) {
      byte[] tsuid = {0, (byte) (i >> 8), (byte) i};
      masks.add("m" + i % 20, HOUR + 7, Map.of("t", "v" + i), tsuid);
    }
  }

  private void turnAt(long millis) {
    now.set(LATE + millis);
    masks.turn();
  }

  @Test
  void aPointOfItsHourHasNoMask() {
    now.set(LATE - 1);
    add(10);
    masks.turn();
    assertThat(written).isEmpty();
  }

  /** A wrong clock. */
  @Test
  void aPointWhoseDayMayHaveExpiredHasNoMask() {
    expired = HOUR + 1;
    add(10);
    turnAt(1_000);
    expired = HOUR;
    add(11);
    turnAt(2_000);
    assertThat(written).containsExactly(List.of(B));
  }

  @Test
  void aMaskIsWrittenTwice() {
    add(10);
    add(10);
    turnAt(1_000);
    assertThat(written.remove()).containsExactly(A);
    add(11);
    turnAt(2_000);
    assertThat(written).as("one write at a time").isEmpty();
    answers.remove().accept(null);
    turnAt(3_000);
    assertThat(written.remove()).containsExactly(B);
    answers.remove().accept(null);
    turnAt(PublishedMasks.AGAIN - 1);
    assertThat(written).isEmpty();
    turnAt(PublishedMasks.AGAIN);
    assertThat(written).as("not yet two minutes old").isEmpty();
    assertThat(requested).isEmpty();
    turnAt(2 * PublishedMasks.AGAIN);
    assertThat(written.remove()).containsExactlyInAnyOrder(A, B);
    assertThat(requested).as("the second mask is not there").isEmpty();
    answers.remove().accept(null);
    assertThat(requested).containsExactlyInAnyOrder("1700006400 m {t=v10}", "1700006400 m {t=v11}");
    turnAt(3 * PublishedMasks.AGAIN);
    turnAt(4 * PublishedMasks.AGAIN);
    assertThat(written).isEmpty();
  }

  /** Else its point may be stored after the second mask, which a repair then removes. */
  @Test
  void aMaskIsNotWrittenAgainSoonerWhenTheClockIsSet() {
    answersAtOnce = true;
    add(10);
    turnAt(1_000);
    written.clear();
    for (long set : new long[] {3_600_000, 0, 7_200_000}) {
      skew = set;
      turnAt(2_000);
    }
    assertThat(written).isEmpty();
    assertThat(requested).isEmpty();
  }

  /** Else the repair comes before the second mask, which then stays. */
  @Test
  void aRequestComesAfterTheSecondMask() {
    add(10);
    turnAt(1_000);
    answers.remove().accept(null);
    add(11);
    turnAt(PublishedMasks.AGAIN);
    turnAt(2 * PublishedMasks.AGAIN);
    answers.remove().accept(null);
    written.clear();
    turnAt(2 * PublishedMasks.AGAIN + 1);
    assertThat(written.remove()).containsExactly(A);
    answers.remove().accept(null);
    assertThat(requested).containsExactly("1700006400 m {t=v10}");
    turnAt(3 * PublishedMasks.AGAIN);
    assertThat(requested).hasSize(1);
    turnAt(4 * PublishedMasks.AGAIN);
    assertThat(written.remove()).containsExactly(B);
    answers.remove().accept(null);
    assertThat(requested).containsExactly("1700006400 m {t=v10}", "1700006400 m {t=v11}");
  }

  /** No other program requests the rollups after the TSD has stopped. */
  @Test
  void allIsWrittenAndRequestedAtTheEnd() {
    answersAtOnce = true;
    add(10);
    turnAt(1_000);
    add(11);
    written.clear();
    masks.close();
    assertThat(written.remove()).containsExactlyInAnyOrder(A, B);
    assertThat(written).isEmpty();
    assertThat(requested).containsExactlyInAnyOrder("1700006400 m {t=v10}", "1700006400 m {t=v11}");
  }

  /** HTTP stays open while a TSD stops. */
  @Test
  void aPointThatComesWhileAMaskIsWrittenAtTheEndHasOne() throws InterruptedException {
    add(10);
    turnAt(1_000);
    Thread closing = new Thread(masks::close);
    closing.start();
    while (closing.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    add(11);
    written.clear();
    answersAtOnce = true;
    answers.remove().accept(null);
    closing.join();
    assertThat(written.remove()).containsExactlyInAnyOrder(A, B);
  }

  /** They have masks, and the nightly run repairs them. */
  @Test
  void requestsBeyondTheBoundAreCounted() {
    answersAtOnce = true;
    int most = PublishedMasks.MAX_REQUESTS;
    addSeries(0, most + 2);
    addSeries(0, most);
    assertThat(left).as("at a time").hasSize(2);
    turnAt(1_000);
    addSeries(most - 1, most + 3);
    turnAt(2_000);
    assertThat(left).as("with those of the turn before").hasSize(5);
    turnAt(PublishedMasks.AGAIN);
    assertThat(requested).isEmpty();
    turnAt(2 * PublishedMasks.AGAIN);
    assertThat(requested).hasSize(most);
    assertThat(left).hasSize(5).first().asString().contains("10000");
  }

  @Test
  void anErrorDoesNotEndTheMasks() {
    broken = new OutOfMemoryError("unable to create native thread");
    add(10);
    turnAt(1_000);
    broken = null;
    turnAt(2_000);
    assertThat(written.remove()).containsExactly(A);
  }

  @Test
  void whatIsNotWrittenIsTriedAgain() {
    add(10);
    turnAt(1_000);
    written.clear();
    answers.remove().accept(new IllegalStateException("no region"));
    turnAt(2_000);
    assertThat(written.remove()).containsExactly(A);
    answers.remove().accept(null);
    turnAt(2 * PublishedMasks.AGAIN);
    turnAt(3 * PublishedMasks.AGAIN);
    assertThat(written.remove()).containsExactly(A);
    answers.remove().accept(new IllegalStateException("no region"));
    turnAt(3 * PublishedMasks.AGAIN + 1);
    assertThat(written.remove()).containsExactly(A);
    assertThat(requested).isEmpty();
    answers.remove().accept(null);
    assertThat(requested).hasSize(1);
  }
}
