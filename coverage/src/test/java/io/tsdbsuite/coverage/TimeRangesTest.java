package io.tsdbsuite.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeRangesTest {
  private static final int TIMES = 60;
  private static final int CASES = 20_000;

  /** Ranges of a set of small times, of which each is one millisecond. */
  private static TimeRanges ranges(BitSet times) {
    TimeRanges.Builder ranges = new TimeRanges.Builder();
    for (int at = times.nextSetBit(0); at >= 0; ) {
      int end = times.nextClearBit(at);
      ranges.add(at, end);
      at = times.nextSetBit(end);
    }
    return ranges.build();
  }

  private static BitSet times(TimeRanges ranges) {
    BitSet times = new BitSet();
    for (int i = 0; i < ranges.size(); i++) {
      times.set((int) ranges.from(i), (int) ranges.to(i));
    }
    return times;
  }

  private static BitSet draw(Random random) {
    BitSet times = new BitSet();
    for (int i = random.nextInt(6); i > 0; i--) {
      int from = random.nextInt(TIMES);
      times.set(from, from + random.nextInt(TIMES - from));
    }
    return times;
  }

  @Test
  void setsOfTimesAreThoseOfSingleTimes() {
    Random random = Seed.random();
    for (int n = 0; n < CASES; n++) {
      BitSet a = draw(random);
      BitSet b = draw(random);
      BitSet plus = (BitSet) a.clone();
      plus.or(b);
      BitSet both = (BitSet) a.clone();
      both.and(b);
      BitSet minus = (BitSet) a.clone();
      minus.andNot(b);
      TimeRanges left = ranges(a);
      TimeRanges right = ranges(b);
      String which = Seed.describe(n);
      assertThat(left.plus(right)).as(which).isEqualTo(ranges(plus));
      assertThat(left.intersect(right)).as(which).isEqualTo(ranges(both));
      assertThat(left.minus(right)).as(which).isEqualTo(ranges(minus));
      assertThat(times(left)).as(which).isEqualTo(a);
      assertThat(left.length()).as(which).isEqualTo(a.cardinality());
      assertThat(left.isEmpty()).as(which).isEqualTo(a.isEmpty());
      int from = random.nextInt(TIMES);
      int to = from + random.nextInt(TIMES - from);
      assertThat(left.contains(from, to))
          .as("%s[%d, %d) of %s", which, from, to, left)
          .isEqualTo(a.nextClearBit(from) >= to);
    }
  }

  @Test
  void rangesNeitherOverlapNorTouch() {
    TimeRanges.Builder ranges = new TimeRanges.Builder();
    ranges.add(1, 3);
    ranges.add(3, 5);
    ranges.add(6, 6);
    ranges.add(7, 9);
    assertThat(ranges.build()).hasToString("[1, 5) [7, 9)");
    assertThat(TimeRanges.of(1, 3).plus(TimeRanges.of(3, 5))).isEqualTo(TimeRanges.of(1, 5));
  }

  @Test
  void anEmptyRangeIsNone() {
    assertThat(TimeRanges.of(5, 5)).isEqualTo(TimeRanges.none());
    assertThat(TimeRanges.of(5, 4)).isEqualTo(TimeRanges.none());
    assertThat(TimeRanges.none().contains(3, 3)).isTrue();
    assertThat(TimeRanges.none().contains(3, 4)).isFalse();
    assertThat(TimeRanges.none()).hasToString("");
  }

  @Test
  void theFarEndsOfTimeAreTimes() {
    TimeRanges all = TimeRanges.of(Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(all.minus(TimeRanges.of(-1, 1)).size()).isEqualTo(2);
    assertThat(all.intersect(TimeRanges.of(-1, 1))).isEqualTo(TimeRanges.of(-1, 1));
  }
}
