package io.tsdbsuite.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each function of time, compared with one that goes through every bucket and window. */
class AsOfTimesTest {
  private static final int CASES = 10_000;
  private static final int STEPS = 60;

  /** Twenty minutes, so that buckets end within hours, too. */
  private static final long STEP = 1200;

  /** Just not, and just late enough after an hour. */
  private static long time(Random random) {
    return random.nextInt(STEPS + 30) * STEP * 1000 + 300_000 - random.nextInt(2);
  }

  private static List<CoverageWindow> draw(Random random) {
    List<CoverageWindow> windows = new ArrayList<>();
    for (int i = random.nextInt(8); i > 0; i--) {
      long from = random.nextInt(STEPS) * STEP;
      long to = from + (1 + random.nextInt(30)) * STEP;
      CoverageWindow window = CoverageWindow.of("1s", from, to, "w", "t", time(random), "*", "x");
      windows.add(window.full(Math.min(window.asOf(), time(random))));
    }
    return windows;
  }

  private static CoverageMask drawMask(Random random) {
    long from = random.nextInt(STEPS / 3) * 3600L;
    long to = from + (1 + random.nextInt(5)) * 3600L;
    CoverageMask.Kind kind = random.nextBoolean() ? CoverageMask.Kind.LATE : CoverageMask.Kind.LOST;
    long shown = time(random) - Coverage.CLOCK_SKEW;
    return new CoverageMask(from, to, "m", kind, 1, shown - random.nextInt(2));
  }

  /** Whether a mask voids a bucket, in seconds. */
  private static boolean masks(
      CoverageMask mask, List<CoverageWindow> windows, long from, long to) {
    return mask.from() < to
        && mask.to() > from
        && asOf(windows, mask.kind(), from, to) <= mask.time() + Coverage.CLOCK_SKEW;
  }

  /** Of one bucket, in seconds. */
  private static long asOf(
      List<CoverageWindow> windows, CoverageMask.Kind kind, long from, long to) {
    return windows.stream()
        .filter(window -> window.from() <= from && window.to() >= to)
        .mapToLong(window -> window.asOf(kind))
        .max()
        .orElse(AsOfTimes.NEVER);
  }

  private static long asOf(List<CoverageWindow> windows, long from, long to) {
    return asOf(windows, CoverageMask.Kind.LATE, from, to);
  }

  @Test
  void eachBucketHasTheNewestReadingThatCoversIt() {
    Random random = Seed.random();
    for (int n = 0; n < CASES; n++) {
      List<CoverageWindow> windows = draw(random);
      CoverageMask mask = drawMask(random);
      long width = (1L + random.nextInt(7)) * STEP;
      AsOfTimes times = AsOfTimes.of(windows, width * 1000);
      TimeRanges proven = times.proven();
      TimeRanges masked = times.masked(mask);
      boolean isVoid = true;
      for (long from = 0; from < (STEPS + 30) * STEP; from += width) {
        long to = from + width;
        long expected = asOf(windows, from, to);
        long hourEnd = (to + 3599) / 3600 * 3600;
        String of = Seed.describe(n) + windows + ", " + width + " s from " + from;
        assertThat(times.oldest(from * 1000, to * 1000)).as(of).isEqualTo(expected);
        assertThat(proven.contains(from * 1000, to * 1000))
            .as(of)
            .isEqualTo(expected != AsOfTimes.NEVER && expected >= hourEnd * 1000 + 300_000);
        if (expected != AsOfTimes.NEVER) {
          boolean masks = masks(mask, windows, from, to);
          isVoid &= !masks;
          TimeRanges bucket = TimeRanges.of(from * 1000, to * 1000);
          assertThat(bucket.minus(masked).isEmpty()).as(of).isEqualTo(masks);
          assertThat(bucket.intersect(masked).isEmpty()).as(of).isEqualTo(!masks);
        }
      }
      assertThat(times.isVoid(mask)).as(Seed.describe(n)).isEqualTo(isVoid);
      long from = random.nextInt(STEPS) * STEP;
      long to = from + (1 + random.nextInt(STEPS)) * STEP;
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
    int nights = 10_000;
    for (int night = 0; night < nights; night++) {
      long from = night * 86400L;
      windows.add(
          CoverageWindow.of(
              "1h", from, from + 86400, "n" + night, "t", from * 1000 + 86_700_000, "*", "n"));
    }
    AsOfTimes times = AsOfTimes.of(windows, 3_600_000);
    assertThat(times.proven()).isEqualTo(TimeRanges.of(0, nights * 86_400_000L));
  }
}
