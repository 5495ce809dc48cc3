package io.tsdbsuite.stream.series;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IncompleteTimesTest {
  private static final long DAY = 1_763_510_400_000L;
  private static final long MINUTE = 60_000;

  private final IncompleteTimes times = new IncompleteTimes();

  /** A partition is read as slowly as Kafka deletes it. */
  @Test
  void rangesThatMeetAreOne() {
    times.add(Long.MIN_VALUE, DAY);
    times.add(DAY, DAY + MINUTE);
    for (int i = 0; i < 10_000; i++) {
      times.add(DAY + i * MINUTE, DAY + (i + 1) * MINUTE);
    }
    // That of before the start is never requested.
    assertThat(times.size()).isEqualTo(2);
    assertThat(times.isRequested(0, DAY)).isFalse();
    assertThat(times.from(1)).isEqualTo(DAY);
    assertThat(times.to(1)).isEqualTo(DAY + 10_000 * MINUTE);
    // Every task of a job before has saved it.
    times.add(Long.MIN_VALUE, DAY);
    assertThat(times.size()).isEqualTo(2);
    times.forget(DAY);
    assertThat(times.size()).isEqualTo(1);
  }

  @Test
  void aRangeJoinsThoseOnBothSides() {
    times.add(DAY, DAY + MINUTE);
    times.add(DAY + 3 * MINUTE, DAY + 4 * MINUTE);
    times.add(DAY + 10 * MINUTE, DAY + 11 * MINUTE);
    times.add(DAY + MINUTE / 2, DAY + 3 * MINUTE);
    assertThat(times.size()).isEqualTo(2);
    assertThat(times.meets(DAY + 2 * MINUTE, DAY + 2 * MINUTE + 1)).isTrue();
    assertThat(times.meets(DAY + 4 * MINUTE, DAY + 10 * MINUTE)).isFalse();
  }

  /** More become requests, and not memory. */
  @Test
  void rangesHaveABound() {
    long end = DAY + 20_000 * MINUTE;
    for (long start = DAY; start < end; start += 2 * MINUTE) {
      times.add(start, start + MINUTE);
    }
    assertThat(times.size()).isLessThanOrEqualTo(256);
    for (long start = DAY; start < end; start += 2 * MINUTE) {
      assertThat(times.meets(start, start + 1)).isTrue();
    }
  }
}
