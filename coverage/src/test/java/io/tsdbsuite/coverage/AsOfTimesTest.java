package io.tsdbsuite.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each function of time, compared with one that goes through every bucket and window. */
class AsOfTimesTest {
  private static final int CASES = 10_000;
  private static final int SECONDS = 60;

  private static List<CoverageWindow> draw(Random random) {
    List<CoverageWindow> windows = new ArrayList<>();
    for (int i = random.nextInt(8); i > 0; i--) {
      long from = random.nextInt(SECONDS);
      long to = from + 1 + random.nextInt(30);
      long asOf = random.nextInt(10);
      CoverageWindow window = CoverageWindow.of("1s", from, to, "w", "t", asOf, "*", "drawn");
      windows.add(random.nextInt(3) == 0 ? window.refreshing(random.nextInt(10)) : window);
    }
    return windows;
  }

  /** Of one bucket, in seconds. */
  private static long asOf(List<CoverageWindow> windows, long from, long to) {
    List<CoverageWindow> whole =
        windows.stream()
            .filter(window -> window.from() <= from && window.to() >= to)
            .sorted(Comparator.comparingLong(CoverageWindow::asOf))
            .toList();
    long asOf =
        whole.stream()
            .filter(window -> !window.isRefresh())
            .mapToLong(CoverageWindow::asOf)
            .max()
            .orElse(AsOfTimes.NEVER);
    for (CoverageWindow window : whole) {
      if (window.isRefresh() && asOf != AsOfTimes.NEVER && asOf >= window.since()) {
        asOf = Math.max(asOf, window.asOf());
      }
    }
    return asOf;
  }

  @Test
  void eachBucketHasTheNewestReadingThatCoversIt() {
    Random random = Seed.random();
    for (int n = 0; n < CASES; n++) {
      List<CoverageWindow> windows = draw(random);
      long width = 1L + random.nextInt(7);
      AsOfTimes times = AsOfTimes.of(windows, width * 1000);
      TimeRanges proven = times.proven();
      for (long from = 0; from < SECONDS + 30; from += width) {
        long expected = asOf(windows, from, from + width);
        long found = times.oldest(from * 1000, (from + width) * 1000);
        if (expected != found
            || proven.contains(from * 1000, (from + width) * 1000)
                != (expected != AsOfTimes.NEVER)) {
          assertThat(found)
              .as("%s%s, %d s from %d", Seed.describe(n), windows, width, from)
              .isEqualTo(expected);
        }
      }
      long from = random.nextInt(SECONDS);
      long to = from + 1 + random.nextInt(SECONDS);
      long oldest = Long.MAX_VALUE;
      for (long at = Math.floorDiv(from, width) * width; at < to; at += width) {
        oldest = Math.min(oldest, asOf(windows, at, at + width));
      }
      assertThat(times.oldest(from * 1000, to * 1000)).as(Seed.describe(n)).isEqualTo(oldest);
    }
  }

  @Test
  void manyNightsAreAFunctionInTimeThatIsLinear() {
    List<CoverageWindow> windows = new ArrayList<>();
    int nights = 2500;
    for (int night = 0; night < nights; night++) {
      long from = night * 86400L;
      windows.add(
          CoverageWindow.of("1h", from, from + 86400, "n" + night, "t", from * 1000, "*", "n"));
      windows.add(
          CoverageWindow.of("1h", 0, from + 1, "r" + night, "t", from * 1000 + 10, "*", "n")
              .refreshing(from * 1000));
    }
    AsOfTimes times = AsOfTimes.of(windows, 3_600_000);
    assertThat(times.proven()).isEqualTo(TimeRanges.of(0, nights * 86_400_000L));
  }
}
