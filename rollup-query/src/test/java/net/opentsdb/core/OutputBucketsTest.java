package net.opentsdb.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.Buckets;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.query.plan.OutputBuckets;
import io.tsdbsuite.testkit.seed.Seed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** In OpenTSDB's package, because its Downsampler is made by package-private methods. */
class OutputBucketsTest {
  private static final long DAY = 86_400_000;
  private static final long MARCH = Instant.parse("2024-03-01T00:00:00Z").toEpochMilli();
  private static final String[] INTERVALS = {
    "1h", "2h", "3h", "5h", "6h", "12h", "1d", "2d", "7d", "30d", "1w", "2w", "1n", "2n", "5n",
    "1y", "90m", "0all"
  };
  private static final String[] ZONES = {
    "UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York", "Australia/Lord_Howe"
  };
  private static final long[] WIDTHS = {600_000, 900_000, 3_600_000, 6 * 3_600_000, DAY};

  private final Random random = Seed.random();

  @Test
  void noRollupCrossesABucketOfTheDownsampler() {
    int checked = 0;
    int dependent = 0;
    for (int i = 0; i < 1500; i++) {
      String interval = INTERVALS[random.nextInt(INTERVALS.length)];
      boolean calendar = !interval.equals("0all") && random.nextBoolean();
      DownsamplingSpecification spec =
          new DownsamplingSpecification(interval + (calendar ? "c" : "") + "-count");
      spec.setTimezone(TimeZone.getTimeZone(ZONES[random.nextInt(ZONES.length)]));
      long from = MARCH - random.nextInt(400) * DAY + random.nextInt((int) DAY);
      long to = from + 1 + (long) (random.nextDouble() * 60 * DAY);
      Buckets buckets = OutputBuckets.of(spec, from, to, from, to);
      if (buckets == null) {
        dependent++;
        continue;
      }
      long width = WIDTHS[random.nextInt(WIDTHS.length)];
      for (QueryPlan.Piece piece : rollups(buckets, from, to, width)) {
        long rollup =
            piece.from() + random.nextInt((int) ((piece.to() - piece.from()) / width)) * width;
        long first = from + (long) (random.nextDouble() * (rollup - from));
        assertThat(buckets(spec, from, to, first, rollup, rollup + width - 1))
            .as("%s%s, %d ms from %d to %d", Seed.describe(i), spec, width, from, to)
            .isEqualTo(buckets(spec, from, to, first, rollup));
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(1000);
    assertThat(dependent).isBetween(50, 500);
  }

  @Test
  void allIsOneBucketFromStartToEnd() {
    DownsamplingSpecification spec = new DownsamplingSpecification("0all-sum");
    Buckets buckets =
        OutputBuckets.of(spec, MARCH + 1, MARCH + 2 * DAY - 1, MARCH - DAY, MARCH + 3 * DAY);
    assertThat(rollups(buckets, MARCH - DAY, MARCH + 3 * DAY, 3_600_000))
        .hasToString("[1 [" + (MARCH + 3_600_000) + ", " + (MARCH + 2 * DAY - 3_600_000) + ")]");
  }

  @Test
  void weeksByTwosDependOnTheFirstPoint() {
    DownsamplingSpecification spec = new DownsamplingSpecification("2wc-sum");
    assertThat(OutputBuckets.of(spec, MARCH, MARCH + 60 * DAY, MARCH, MARCH + 60 * DAY)).isNull();
  }

  /** Each edge costs three operations of a calendar. */
  @Test
  void tooManyBucketsAreNotComputed() {
    AtomicInteger calls = new AtomicInteger();
    TimeZone counting =
        new SimpleTimeZone(0, "counting") {
          private static final long serialVersionUID = 1L;

          @Override
          public int getOffset(long time) {
            calls.incrementAndGet();
            return super.getOffset(time);
          }
        };
    DownsamplingSpecification spec = new DownsamplingSpecification("1sc-sum");
    spec.setTimezone(counting);
    long many = MARCH + 100_001_000;
    assertThat(OutputBuckets.of(spec, MARCH, many, MARCH, many)).isNull();
    assertThat(calls).hasValueLessThan(10);
  }

  @Test
  void aDayOfBerlinIsNoDayOfUtc() {
    DownsamplingSpecification spec = new DownsamplingSpecification("1dc-sum");
    spec.setTimezone(TimeZone.getTimeZone("Europe/Berlin"));
    Buckets buckets = OutputBuckets.of(spec, MARCH, MARCH + 40 * DAY, MARCH, MARCH + 40 * DAY);
    assertThat(rollups(buckets, MARCH, MARCH + 40 * DAY, DAY)).isEmpty();
    assertThat(rollups(buckets, MARCH, MARCH + 40 * DAY, 3_600_000)).isNotEmpty();
  }

  /** The pieces of one table that has everything, where raw data are dear. */
  private static List<QueryPlan.Piece> rollups(Buckets buckets, long from, long to, long width) {
    QueryPlan.Table table = new QueryPlan.Table("1", width, TimeRanges.of(0, 4_000_000_000_000L));
    List<QueryPlan.Piece> rollups = new ArrayList<>();
    QueryPlan plan =
        QueryPlan.cheapest(
            from,
            to,
            buckets,
            List.of(table),
            (t, a, b) -> t == null ? b - a : 0,
            Integer.MAX_VALUE);
    for (QueryPlan.Piece piece : plan.pieces()) {
      if (piece.table() != null) {
        rollups.add(piece);
      }
    }
    return rollups;
  }

  /** How many buckets the Downsampler makes of points at these times. */
  private static int buckets(DownsamplingSpecification spec, long from, long to, long... times) {
    long[] ascending = java.util.Arrays.stream(times).sorted().distinct().toArray();
    SeriesSpan span =
        new SeriesSpan(
            null, new byte[0], ascending, new double[ascending.length], new long[0], List.of());
    Downsampler downsampler = span.downsampler(from, to, spec, from, to, null);
    int buckets = 0;
    while (downsampler.hasNext()) {
      downsampler.next();
      buckets++;
    }
    return buckets;
  }
}
