package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WriteJitterTest {
  @Test
  void theNextBoundaryIsAfterNowAndWithinATtl() {
    for (int ttl : new int[] {1, 2, 60, 3600, 2_592_000}) {
      WriteJitter jitter = new WriteJitter(ttl);
      for (int n = 0; n < 1000; n++) {
        int now = 1_000_000 + 17 * n;
        int next = jitter.next(Series.of(n), now);
        assertThat(next).isGreaterThan(now).isLessThanOrEqualTo(now + ttl);
        assertThat(jitter.next(Series.of(n), next)).isEqualTo(next + ttl);
        assertThat(jitter.next(Series.of(n), next - 1)).isEqualTo(next);
      }
    }
  }

  @Test
  void aTtlThatReachesOverTheStartOfTimeIsNoMatter() {
    assertThat(new WriteJitter(3600).next(Series.of(5), 0)).isBetween(1, 3600);
  }

  @Test
  void seriesThatAreWrittenInStepAreDueInTurn() {
    int ttl = 600;
    int series = 60_000;
    for (int tags = 1; tags <= 2; tags++) {
      int[] due = new int[ttl + 1];
      for (int n = 0; n < series; n++) {
        byte[] tsuid = tags == 1 ? Series.of(n) : Series.of(n / 100, n % 100);
        due[new WriteJitter(ttl).next(tsuid, 0)]++;
      }
      int peak = 0;
      for (int each : due) {
        peak = Math.max(peak, each);
      }
      assertThat(peak * ttl).as("peak over mean").isLessThan(2 * series);
    }
  }
}
