package io.tsdbsuite.ingest.store;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.ingest.mask.RawTtl;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupRequestElement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepairPlanTest {
  /** The second hour of a day. */
  private static final long HOUR = 1763514000L;

  private static final long DAY = HOUR - 3600;

  /**
   * The metrics {@code more.*} have further aggregators in some of the intervals, {@code *.hist}
   * histograms.
   */
  static RollupSchema schema() {
    return schema(HistogramCodecs.NONE)
        .checked(
            Map.of(
                "tsd.core.histograms.config",
                "{\"" + HistogramCodecs.SIMPLE + "\":42,\"" + HistogramCodecs.SKETCH + "\":43}"),
            false);
  }

  static RollupSchema schema(HistogramCodecs codecs) {
    StringBuilder intervals = new StringBuilder();
    for (String interval :
        List.of(
            "1m:1h", "10m:1d", "1h:1d", "4h:1n", "5h:1n", "6h:1n", "8h:1n", "12h:1n", "90m:1n",
            "1d:1n", "2d:1y")) {
      String[] parts = interval.split(":", -1);
      intervals
          .append(intervals.length() == 0 ? "" : ",")
          .append("{'table':'t-")
          .append(parts[0])
          .append("','preAggregationTable':'p-")
          .append(parts[0])
          .append("','interval':'")
          .append(parts[0])
          .append("','rowSpan':'")
          .append(parts[1])
          .append(parts[0].equals("1m") ? "','defaultInterval':true}" : "'}");
    }
    String json =
        "{'aggregationIds':{'sum':0,'count':2,'min':3,'max':4,'p50':10,'p99':11,'p999':12,"
            + "'first':13,'last':14},'suite':{'values':[{'metrics':'more.*',"
            + "'intervals':'10m,1h,6h,8h,1d','aggregators':'p50,p99,p999,first,last'}],"
            + "'histograms':[{'metrics':'*.hist','intervals':'10m,1h,6h,1d'}],'histogramTables':{"
            + "'10m':'h-10m','1h':'h-1h','6h':'h-6h','1d':'p-1m'}},"
            + "'intervals':["
            + intervals
            + "]}";
    return new RollupSchema(RollupConfig.parse(json.replace('\'', '"')), true, codecs);
  }

  private static RepairPlan plan(String intervals, long requestedAt) throws BadMessageException {
    return plan(HOUR, intervals, requestedAt);
  }

  static RepairPlan plan(long hour, String intervals, long requestedAt) throws BadMessageException {
    String json =
        "{'type':'RollupRequest','v':1,'metric':'m','tags':{'a':'b'},'timestamp':"
            + hour
            + ",'reason':'late','intervals':["
            + intervals
            + "]}";
    byte[] message = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    RollupRequestElement request = (RollupRequestElement) new MessageReader().read(message).get(0);
    return new RepairPlan(request, schema(), requestedAt);
  }

  @ParameterizedTest
  @CsvSource({
    // Milliseconds after the start of the hour, buckets of 10m, of 1h, above, rows.
    "-1000, 0, 0, '', 1",
    "0, 0, 0, '', 1",
    "599999, 0, 0, '', 1",
    "600000, 1, 0, '', 1",
    "1500000, 2, 0, '', 1",
    "3599999, 5, 0, '', 1",
    "3600000, 6, 1, '', 1",
    "17999999, 6, 1, '', 1",
    "18000000, 6, 1, 6h, 6",
    "82799999, 6, 1, 6h, 6",
    "82800000, 6, 1, '1d,6h', 24",
    "900000000, 6, 1, '1d,6h', 24"
  })
  void onlyBucketsThatHadEndedAreWritten(long millis, int tens, int hours, String above, int rows)
      throws BadMessageException {
    RepairPlan plan = plan("'10m','1d','1h','6h'", HOUR * 1000 + millis);
    int[] ended = new int[2];
    for (RollupTarget target : plan.ofHour()) {
      ended[target.interval.interval().equals("10m") ? 0 : 1] = plan.ended(target);
    }
    assertThat(ended).containsExactly(tens, hours);
    assertThat(
            plan.ofHours().stream().map(target -> target.interval.interval()).collect(joining(",")))
        .isEqualTo(above);
    assertThat(plan.isEmpty()).isEqualTo(tens + hours + above.length() == 0);
    assertThat(plan.hours()).isEqualTo(rows);
    assertThat(plan.firstRow()).isEqualTo(rows == 1 ? HOUR : DAY);
    assertThat(plan.ofHours()).extracting(target -> RepairPlan.start(target, HOUR)).isSubsetOf(DAY);
  }

  /** Those of a point that comes later stand for the day that is not repaired. */
  @Test
  void masksOfBeforeTheEndOfABucketThatHadNotEndedAreRemoved() throws BadMessageException {
    long endOfDay = (DAY + 86_400) * 1000;
    assertThat(plan("'10m','1h','1d'", endOfDay - 1).removesUntil()).isEqualTo(endOfDay);
    assertThat(plan("'1d','6h'", endOfDay - 1).removesUntil()).isEqualTo(endOfDay);
    long sixHours = (DAY + 6 * 3600) * 1000;
    assertThat(plan("'1d','6h'", sixHours - 1).removesUntil()).isEqualTo(sixHours);
    assertThat(plan("'10m','1h','1d'", endOfDay).removesUntil()).isEqualTo(Long.MAX_VALUE);
    assertThat(plan("'10m','1h','1d'", endOfDay).lastHour()).isEqualTo(DAY + 23 * 3600);
    assertThat(plan("'10m'", (HOUR + 3600) * 1000).lastHour()).isEqualTo(HOUR);
    assertThat(plan("'10m'", (HOUR + 3600) * 1000 - 1).removesUntil()).isEqualTo(Long.MIN_VALUE);
    assertThat(plan("'10m'", (HOUR + 3600) * 1000).removesUntil()).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource({
    // The hour of the request, which had ended or at which hour of the day.
    "'1h', 7, 24, 7, 7",
    "'1h,6h', 7, 24, 6, 11",
    "'10m,6h,1d', 7, 24, 0, 23",
    "'10m,6h,1d', 7, 23, 6, 11",
    "'10m,6h,1d', 7, 9, 7, 7",
    // From 4 to 12 o'clock are read; 4 and 5 have a bucket that begins before.
    "'4h,6h', 7, 24, 6, 11",
    "'6h,8h,12h', 15, 20, 12, 15",
    // From 0 to 8 o'clock are read; 0 to 5 have another bucket of 6h than the one that is left.
    "'6h,8h', 7, 9, 6, 7",
    "'4h,12h', 9, 11, 9, 9"
  })
  void hoursThatAreReadWithAllTheirBucketsCanBeRepaired(
      String intervals, int hour, int requestedAt, int first, int last) throws BadMessageException {
    RepairPlan plan =
        plan(
            DAY + hour * 3600L,
            "'" + intervals.replace(",", "','") + "'",
            (DAY + requestedAt * 3600L) * 1000);
    List<Long> expected = new ArrayList<>();
    for (long each = first; each <= last; each++) {
      expected.add(DAY + each * 3600);
    }
    assertThat(plan.repairable()).isEqualTo(expected);
  }

  /** Buckets of 4h and 6h that contain the same hour: neither contains the other. */
  @Test
  void allBucketsOfTheHourAreRead() throws BadMessageException {
    long hour = DAY + 7 * 3600;
    RepairPlan plan = plan(hour, "'4h','6h'", Long.MAX_VALUE);
    assertThat(plan.firstRow()).isEqualTo(DAY + 4 * 3600);
    assertThat(plan.hours()).isEqualTo(8);
    assertThat(plan.ofHours())
        .extracting(target -> RepairPlan.start(target, hour))
        .containsExactly(DAY + 4 * 3600, DAY + 6 * 3600);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5h", "90m", "2d", "5m", "1m"})
  void otherIntervalsAreRefused(String interval) {
    BadMessageException e =
        catchThrowableOfType(
            BadMessageException.class, () -> plan("'1h','" + interval + "'", Long.MAX_VALUE));
    assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_INTERVAL);
    assertThat(e).hasMessageContaining("found " + interval);
  }

  @Test
  void aRowIsWholeUntilADayBeforeItsTtl() {
    long day = 86_400;
    RawTtl ttl = new RawTtl(10 * day);
    long whole = HOUR + 9 * day;
    assertThatCode(() -> ttl.require(HOUR, whole * 1000)).doesNotThrowAnyException();
    BadMessageException e =
        catchThrowableOfType(
            BadMessageException.class, () -> ttl.require(HOUR, (whole + 1) * 1000));
    assertThat(e.reason()).isEqualTo(Reason.EXPIRED);
    assertThat(e).hasMessageContaining("found " + HOUR);
    assertThatCode(() -> new RawTtl(RawTtl.FOREVER).require(0, Long.MAX_VALUE))
        .doesNotThrowAnyException();
  }
}
