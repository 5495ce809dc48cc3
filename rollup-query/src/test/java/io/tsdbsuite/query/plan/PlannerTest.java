package io.tsdbsuite.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import io.tsdbsuite.query.run.QueryAbortedException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;
  private static final int MAX_SCANS = 50;
  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "max": 4}, "intervals": [
            {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1h", "preAggregationTable": "t1h", "interval": "1h", "rowSpan": "1d"},
            {"table": "t7h", "preAggregationTable": "t7h", "interval": "7h", "rowSpan": "1n"},
            {"table": "t1d", "preAggregationTable": "t1d", "interval": "1d", "rowSpan": "1y"}]}
          """);

  private final Map<String, TimeRanges> coverage =
      Map.of("1h", TimeRanges.of(0, 20 * DAY), "1d", TimeRanges.of(2 * DAY, 10 * DAY));

  @Test
  void whatRollupsCannotAnswerExactlyReadsRawData() {
    assertThat(rawOnly(sub("1h-dev"))).hasToString("dev does not follow from rollups");
    assertThat(rawOnly(sub("1h-first"))).hasToString("first does not follow from rollups");
    assertThat(rawOnly(sub("1h-p99"))).hasToString("p99 does not follow from rollups");
    assertThat(rawOnly(sub("1h-min"))).hasToString("rollup_config has no id for [min]");
    assertThat(rawOnly(sub(null))).hasToString("not downsampled");
    TSSubQuery raw = sub("1h-sum");
    raw.setRollupUsage("ROLLUP_RAW");
    assertThat(rawOnly(raw)).hasToString("rollupUsage is ROLLUP_RAW");
    TSSubQuery percentiles = sub("1h-sum");
    percentiles.setPercentiles(new java.util.ArrayList<>(List.of(99f)));
    assertThat(rawOnly(percentiles)).hasToString("percentiles and histograms are not in rollups");
  }

  @Test
  void allOthersReadRollups() {
    for (String function : List.of("sum", "zimsum", "pfsum", "max", "mimmax", "count", "avg")) {
      assertThat(rawOnly(sub("1h-" + function))).as(function).isNull();
    }
  }

  @Test
  void theWidestTablesInsideTheCoverageAreRead() {
    assertThat(plan(sub("1d-sum"), HOUR / 2, 22 * DAY)).hasToString("1h:287 1d:8 raw:174600s");
    assertThat(plan(sub("2h-avg"), 0, 2 * HOUR)).hasToString("1h:2");
  }

  @Test
  void reasonsForRawDataOfTheTimes() {
    assertThat(plan(sub("30m-sum"), 0, DAY))
        .hasToString("raw (no table is as fine as the downsampler)");
    assertThat(plan(sub("1h-sum"), 21 * DAY, 22 * DAY))
        .hasToString("raw (no proven rollups lie inside a bucket)");
    assertThat(
            planner()
                .plan(
                    sub("1h-sum").downsamplingSpecification(),
                    "m",
                    new QueryTimes(0, DAY, HOUR / 2, DAY, DAY),
                    new CellCosts(1, 2, 200)))
        .hasToString("raw (raw data cost less)");
    assertThat(plan(sub("2wc-sum"), 0, 60 * DAY))
        .hasToString("raw (the buckets of this calendar depend on the first point)");
    assertThat(
            planner((interval, width, metric) -> TimeRanges.none())
                .plan(
                    sub("1h-sum").downsamplingSpecification(),
                    "m",
                    new QueryTimes(0, DAY, 0, DAY, DAY),
                    new CellCosts(1, 360, 200)))
        .hasToString("raw (no rollups are proven to be stored)");
  }

  /** Rollups of an hour below it may be gone. */
  private long hourFloor;

  /** Rollups of an hour until 20 d, of a day from 2 to 10 d; raw data may be gone before. */
  private final class Floor implements ProvenTimes {
    private final long floor;
    private final String reason;
    private final boolean known;

    Floor(long floor, String reason) {
      this(floor, reason, floor != Long.MAX_VALUE);
    }

    Floor(long floor, String reason, boolean known) {
      this.floor = floor;
      this.reason = reason;
      this.known = known;
    }

    @Override
    public boolean floorsKnown() {
      return known;
    }

    @Override
    public TimeRanges proven(String interval, long widthMillis, String metric) {
      TimeRanges gone = TimeRanges.of(0, rollupFloor(interval, metric));
      return reason.isEmpty() ? coverage.get(interval).minus(gone) : TimeRanges.none();
    }

    @Override
    public long rollupFloor(String interval, String metric) {
      return interval.equals("1h") ? hourFloor : 0;
    }

    @Override
    public long rawFloor(String metric) {
      return metric.equals("m") ? floor : 0;
    }

    @Override
    public String reason() {
      return reason;
    }
  }

  private PlannedPieces below(long floor, String downsample, QueryTimes times) {
    return planner(new Floor(floor, ""))
        .plan(sub(downsample).downsamplingSpecification(), "m", times, new CellCosts(1, 0.5, 200));
  }

  private PlannedPieces below(long floor, String downsample, long from, long to) {
    return below(floor, downsample, new QueryTimes(from, to, from, to, to));
  }

  private static String refusal(PlannedPieces plan) {
    QueryAbortedException refusal = plan.refusal();
    return refusal == null ? plan.toString() : refusal.reason() + " " + refusal.getMessage();
  }

  @Test
  void noRawDataBelowTheFloorAreRead() {
    assertThat(below(0, "1h-sum", 0, 2 * HOUR)).hasToString("raw (raw data cost less)");
    assertThat(below(DAY, "1h-sum", 0, 2 * HOUR)).hasToString("1h:2");
    assertThat(below(DAY, "1h-sum", DAY, DAY + 2 * HOUR)).hasToString("raw (raw data cost less)");
    // From the floor on raw data are read as before.
    assertThat(refusal(below(20 * DAY, "1h-sum", 0, 22 * DAY))).isEqualTo("1h:480 raw:172800s");
    assertThat(refusal(below(20 * DAY + 1, "1h-sum", 0, 22 * DAY)))
        .isEqualTo(
            "RAW_GONE raw data of m before 1970-01-21T00:00:00.001Z is gone (rollups are not"
                + " proven for all of its buckets)");
    assertThat(refusal(below(DAY, "1h-sum", HOUR / 2, 2 * HOUR))).startsWith("RAW_GONE");
    assertThat(refusal(below(DAY, "30m-sum", 0, 2 * HOUR)))
        .isEqualTo(
            "RAW_GONE raw data of m before 1970-01-02T00:00:00Z is gone (no table is as fine as"
                + " the downsampler)");
    assertThat(refusal(below(DAY, "2wc-sum", 0, 60 * DAY)))
        .endsWith("(the buckets of this calendar depend on the first point)");
    assertThat(refusal(below(22 * DAY, "1h-sum", 21 * DAY, 23 * DAY)))
        .endsWith("(no proven rollups lie inside a bucket)");
  }

  /** Below the floor of the hours only days are left. */
  @Test
  void rollupsBelowTheFloorOfTheirIntervalAreNotRead() {
    assertThat(below(20 * DAY, "1d-sum", DAY, 6 * DAY)).hasToString("1h:120");
    hourFloor = 4 * DAY;
    assertThat(refusal(below(20 * DAY, "1d-sum", DAY, 6 * DAY))).startsWith("RAW_GONE");
    assertThat(below(20 * DAY, "1d-sum", 2 * DAY, 6 * DAY)).hasToString("1d:4");
    assertThat(below(20 * DAY, "1h-sum", 4 * DAY, 6 * DAY)).hasToString("1h:48");
    assertThat(refusal(below(20 * DAY, "1h-sum", 3 * DAY, 6 * DAY)))
        .isEqualTo(
            "RAW_GONE raw data of m before 1970-01-21T00:00:00Z is gone, its 1h rollups before"
                + " 1970-01-05T00:00:00Z (rollups are not proven for all of its buckets)");
    assertThat(refusal(below(20 * DAY, "1h-sum", 2 * DAY, 3 * DAY)))
        .endsWith(
            "its 1h rollups before 1970-01-05T00:00:00Z (no proven rollups lie inside a"
                + " bucket)");
  }

  /** A bucket of a week that needs its first days from raw data. */
  @Test
  void aBucketOverTheFloorNeedsRollupsBelowIt() {
    assertThat(refusal(below(10 * DAY, "7d-sum", 7 * DAY, 28 * DAY))).doesNotContain("RAW_GONE");
    assertThat(refusal(below(21 * DAY, "7d-sum", 14 * DAY, 28 * DAY))).startsWith("RAW_GONE");
    assertThat(refusal(below(20 * DAY, "7d-sum", 14 * DAY, 28 * DAY))).startsWith("1h:");
  }

  @Test
  void allOfATimeBelowTheFloorIsReadFromRollups() {
    QueryTimes hours = new QueryTimes(2 * HOUR, 5 * HOUR, 2 * HOUR, 6 * HOUR, 6 * HOUR);
    assertThat(below(DAY, "0all-sum", hours)).hasToString("1h:4");
    QueryTimes minutes = new QueryTimes(2 * HOUR + 1, 5 * HOUR, 2 * HOUR, 6 * HOUR, 6 * HOUR);
    assertThat(refusal(below(DAY, "0all-sum", minutes))).startsWith("RAW_GONE");
    assertThat(below(DAY, "0all-sum", minutes.within(HOUR))).hasToString("1h:3");
    assertThat(minutes.within(DAY)).isNull();
  }

  /** With explicit tags OpenTSDB reads an hour after the end, too. */
  @Test
  void theRowAfterTheEndIsReadFromRollupsBelowTheFloor() {
    QueryTimes times = new QueryTimes(0, 2 * HOUR, 0, 2 * HOUR, 3 * HOUR);
    assertThat(below(DAY, "1h-sum", times)).hasToString("1h:3");
  }

  @Test
  void theRowAfterTheEndFollowsTheRoundedEnd() {
    QueryTimes times = new QueryTimes(HOUR, 4 * HOUR, HOUR, 4 * HOUR, 5 * HOUR).rounded(6 * HOUR);
    assertThat(times.from()).isZero();
    assertThat(times.rollupsTo()).isEqualTo(6 * HOUR);
    assertThat(times.to()).isEqualTo(7 * HOUR);
  }

  @Test
  void whatNeedsRawDataIsRefusedBelowTheFloor() {
    RawReason reason = new RawReason(RawReason.Kind.NOT_DOWNSAMPLED, "not downsampled");
    QueryTimes times = new QueryTimes(DAY, 2 * DAY, DAY, 2 * DAY, 2 * DAY);
    Planner planner = planner(new Floor(2 * DAY, ""));
    assertThat(refusal(planner.raw(reason, "m", times)))
        .isEqualTo("RAW_GONE raw data of m before 1970-01-03T00:00:00Z is gone (not downsampled)");
    assertThat(planner.raw(reason, "m", times)).hasToString("refused (not downsampled)");
    assertThat(refusal(planner.raw(reason, "other", times))).isEqualTo("raw (not downsampled)");
    assertThat(refusal(planner(new Floor(DAY, "")).raw(reason, "m", times)))
        .isEqualTo("raw (not downsampled)");
  }

  @Test
  void anUnknownFloorRefusesAllRawData() {
    RawReason reason = new RawReason(RawReason.Kind.NOT_DOWNSAMPLED, "not downsampled");
    QueryTimes times = new QueryTimes(DAY, 2 * DAY, DAY, 2 * DAY, 2 * DAY);
    assertThat(refusal(planner(new Floor(Long.MAX_VALUE, "away")).raw(reason, "m", times)))
        .isEqualTo("NO_COVERAGE raw data of m may be gone, the coverage is not known: away");
    Floor stale = new Floor(2 * DAY, "last read 61 s ago", false);
    assertThat(refusal(planner(stale).raw(reason, "m", times)))
        .isEqualTo(
            "NO_COVERAGE raw data of m before 1970-01-03T00:00:00Z may be gone, the coverage is not"
                + " known: last read 61 s ago");
    Planner unread = planner(new Floor(2 * DAY, "last read 61 s ago"));
    assertThat(refusal(unread.raw(reason, "m", times))).endsWith("proven now: last read 61 s ago");
    RawReason changed = new RawReason(RawReason.Kind.COVERAGE_CHANGED, "it lacks 1h");
    assertThat(refusal(unread.raw(changed, "m", times)))
        .isEqualTo(
            "NO_COVERAGE raw data of m before 1970-01-03T00:00:00Z may be gone, and no rollups are"
                + " proven now: it lacks 1h");
    assertThat(
            refusal(
                unread.plan(
                    sub("1h-sum").downsamplingSpecification(),
                    "m",
                    times,
                    new CellCosts(1, 2, 200))))
        .isEqualTo(
            "NO_COVERAGE raw data of m before 1970-01-03T00:00:00Z may be gone, and no rollups are"
                + " proven now: last read 61 s ago");
  }

  @Test
  void fromSomeTimeOnRawDataIsReadThoughRollupsAreProven() {
    assertThat(plan(sub("1h-sum"), new QueryTimes(0, 2 * HOUR, 0, 2 * HOUR, 3 * HOUR)))
        .hasToString("1h:2 raw:3600s");
  }

  /** 90 minutes do not consist of hours: each bucket would need a scan of its own. */
  @Test
  void aPlanHasALimitedNumberOfScans() {
    PlannedPieces plan = plan(sub("90m-sum"), 0, 20 * DAY);
    assertThat(plan.scans().size()).isLessThanOrEqualTo(MAX_SCANS);
    PlannedPieces many =
        planner()
            .plan(
                sub("90m-sum").downsamplingSpecification(),
                "m",
                new QueryTimes(0, 20 * DAY, 0, 20 * DAY, 20 * DAY),
                new CellCosts(10_000, 360, 20));
    assertThat(many.scans().size()).isLessThanOrEqualTo(MAX_SCANS);
  }

  /** A plan of each bucket's pieces would need much memory. */
  @Test
  void manyBucketsThatTheTableDoesNotDivideReadRawData() {
    assertThat(plan(sub("61m-sum"), 0, 400 * DAY).toString()).doesNotContain("divides");
    assertThat(plan(sub("60m-sum"), 0, 500 * DAY).toString()).startsWith("1h:480 raw:");
    // Those outside of the coverage are not cut.
    assertThat(plan(sub("61m-sum"), 0, 500 * DAY).toString()).doesNotContain("divides");
    Planner planner = planner((interval, width, metric) -> TimeRanges.of(0, 900 * DAY));
    QueryTimes times = new QueryTimes(0, 500 * DAY, 0, 500 * DAY, 500 * DAY);
    CellCosts costs = new CellCosts(1, 360, 200);
    assertThat(planner.plan(sub("61m-sum").downsamplingSpecification(), "m", times, costs))
        .hasToString("raw (no table divides the many buckets)");
    assertThat(planner.plan(sub("60m-sum").downsamplingSpecification(), "m", times, costs))
        .hasToString("1h:12000");
    DownsamplingSpecification halfHours = sub("2hc-sum").downsamplingSpecification();
    halfHours.setTimezone(TimeZone.getTimeZone("Asia/Kolkata"));
    times = new QueryTimes(0, 900 * DAY, 0, 900 * DAY, 900 * DAY);
    assertThat(planner.plan(halfHours, "m", times, costs))
        .hasToString("raw (no table divides the many buckets)");
  }

  @Test
  void theSizeOfAPlan() {
    PlannedPieces plan = plan(sub("1h-avg"), 0, 21 * DAY);
    assertThat(plan.size().rollupCells()).isEqualTo(20 * 24 * 2);
    assertThat(plan.size().rawHours()).isEqualTo(24);
    assertThat(plan.size().until(20 * DAY + 6 * HOUR).rollupCells()).isEqualTo(20 * 24 * 2);
    assertThat(plan.size().until(20 * DAY + 6 * HOUR).rawHours()).isEqualTo(6);
    PlannedPieces raw = plan(sub("1h-sum"), 21 * DAY, 22 * DAY);
    assertThat(raw.size().rawHours()).isEqualTo(24);
    assertThat(raw.size().until(22 * DAY - HOUR).rawHours()).isEqualTo(23);
    assertThat(raw.size().until(20 * DAY).rawHours()).isZero();
  }

  @Test
  void hoursBehindTheLastPointSayNothingOfTheOthers() {
    PlanSize size = plan(sub("1h-avg"), 0, 21 * DAY).size();
    SeriesEstimate found = SeriesEstimate.UNKNOWN.corrected(size, 20 * 24 * 2, 20 * 24 * 2, 0, 0);
    assertThat(found.values(size)).isEqualTo(20 * 24 * 2 + 24 * 360);
  }

  @Test
  void seriesThatFiltersDropAreReadAndNotHeld() {
    PlanSize size = plan(sub("1h-avg"), 0, 21 * DAY).size();
    double ofSeries = 20 * 24 * 2;
    SeriesEstimate found =
        SeriesEstimate.UNKNOWN.corrected(size, 10 * ofSeries, ofSeries, 10 * 24 * 6, 24 * 6);
    assertThat(found.cells(size)).isEqualTo(10 * (ofSeries + 24 * 6));
    assertThat(found.values(size)).isEqualTo(ofSeries + 24 * 6);
  }

  @Test
  void intervalsThatDoNotDivideTheDayAreNotRead() {
    assertThat(new RollupTables(CONFIG).intervals())
        .extracting("interval")
        .containsExactly("1h", "1d");
  }

  private static final RollupConfig SUITE =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "max": 4, "p99": 9, "first": 10, "last": 11},
           "suite": {"values": [
             {"metrics": "*", "intervals": "1h,1d", "aggregators": "p99,first,last"}]},
           "intervals": [
            {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1h", "preAggregationTable": "t1h", "interval": "1h", "rowSpan": "1d"},
            {"table": "t1d", "preAggregationTable": "t1d", "interval": "1d", "rowSpan": "1n"}]}
          """);

  /** Each level has windows of its own. */
  private static final Map<String, TimeRanges> LEVELS =
      Map.of(
          "1h", TimeRanges.of(0, 20 * DAY),
          "1h.p99", TimeRanges.of(2 * DAY, 3 * DAY),
          "1d.p99", TimeRanges.of(4 * DAY, 10 * DAY),
          "1h.first", TimeRanges.of(HOUR, 3 * DAY),
          "1d.first", TimeRanges.of(2 * DAY, 5 * DAY));

  private static String levels(String downsample, String zone, long from, long to) {
    return levels(downsample, zone, from, to, 0);
  }

  private static String levels(String downsample, String zone, long from, long to, long floor) {
    return levels(downsample, zone, new QueryTimes(from, to, from, to, to), floor);
  }

  private static String levels(String downsample, String zone, QueryTimes times, long floor) {
    DownsamplingSpecification spec = sub(downsample).downsamplingSpecification();
    spec.setTimezone(TimeZone.getTimeZone(zone));
    ProvenTimes proven =
        new ProvenTimes() {
          @Override
          public TimeRanges proven(String level, long widthMillis, String metric) {
            return LEVELS.getOrDefault(level, TimeRanges.none());
          }

          @Override
          public long rawFloor(String metric) {
            return floor;
          }
        };
    Planner planner = new Planner(new RollupTables(SUITE), () -> proven, () -> 0, MAX_SCANS);
    assertThat(planner.rawOnly(sub(downsample), "m")).isNull();
    return refusal(planner.plan(spec, "m", times, new CellCosts(1, 360, 20)));
  }

  @Test
  void aPercentileIsReadFromWholeBucketsOfItsOwnLevel() {
    assertThat(levels("1h-p99", "UTC", DAY, 4 * DAY)).isEqualTo("1h.p99:24 raw:172800s");
    assertThat(levels("60m-p99", "UTC", 2 * DAY, 3 * DAY)).isEqualTo("1h.p99:24");
    assertThat(levels("1hc-p99", "Europe/Berlin", 2 * DAY, 3 * DAY)).isEqualTo("1h.p99:24");
    // A bucket that the range cuts is raw data.
    assertThat(levels("1h-p99", "UTC", 2 * DAY + HOUR / 2, 3 * DAY - HOUR / 2))
        .isEqualTo("1h.p99:22 raw:3600s");
    // Neither from hours nor beside them.
    assertThat(levels("1d-p99", "UTC", 0, 11 * DAY)).isEqualTo("1d.p99:6 raw:432000s");
    assertThat(levels("24h-p99", "UTC", 4 * DAY, 5 * DAY)).isEqualTo("1d.p99:1");
    assertThat(levels("1dc-p99", "UTC", 4 * DAY, 5 * DAY)).isEqualTo("1d.p99:1");
    assertThat(levels("1dc-p99", "Europe/Berlin", 4 * DAY, 8 * DAY))
        .isEqualTo("raw (no proven rollups of 1d.p99 are whole buckets)");
    assertThat(levels("1h-p99", "UTC", 4 * DAY, 5 * DAY))
        .isEqualTo("raw (no proven rollups of 1h.p99 are whole buckets)");
    for (String other : List.of("7d", "2h", "30m", "0all")) {
      assertThat(levels(other + "-p99", "UTC", 2 * DAY, 3 * DAY))
          .isEqualTo("raw (p99 of " + other + " follows only from rollups of this interval)");
    }
  }

  /** When London's clocks go back, a day of 25 hours has a day of UTC in it. */
  @Test
  void aPercentileOfALongDayIsReadFromRawData() {
    long from = Instant.parse("2026-10-24T23:00:00Z").toEpochMilli();
    assertThat(longDay("sum", from, from + 25 * HOUR)).isEqualTo("1h:1 1d:1");
    assertThat(longDay("first", from, from + 25 * HOUR)).isEqualTo("1h.first:1 1d.first:1");
    assertThat(longDay("p99", from, from + 25 * HOUR))
        .isEqualTo("raw (no proven rollups of 1d.p99 are whole buckets)");
    assertThat(longDay("p99", from, from + 25 * HOUR + DAY)).isEqualTo("1d.p99:1 raw:90000s");
  }

  private static String longDay(String function, long from, long to) {
    Planner planner =
        new Planner(
            new RollupTables(SUITE),
            () -> (level, width, metric) -> TimeRanges.of(0, 30_000 * DAY),
            () -> 0,
            MAX_SCANS);
    DownsamplingSpecification spec = sub("1dc-" + function).downsamplingSpecification();
    spec.setTimezone(TimeZone.getTimeZone("Europe/London"));
    QueryTimes times = new QueryTimes(from, to, from, to, to);
    return planner.plan(spec, "m", times, new CellCosts(100, 360, 20)).toString();
  }

  @Test
  void theFirstValueIsThatOfTheFirstRollup() {
    assertThat(levels("1d-first", "UTC", 0, 6 * DAY))
        .isEqualTo("1h.first:47 1d.first:3 raw:90000s");
    assertThat(levels("2h-first", "UTC", 2 * DAY, 3 * DAY)).isEqualTo("1h.first:24");
    assertThat(levels("0all-first", "UTC", 2 * DAY, 3 * DAY)).isEqualTo("1d.first:1");
    assertThat(levels("1d-last", "UTC", 2 * DAY, 3 * DAY))
        .isEqualTo("raw (no rollups of 1h.last or 1d.last are proven to be stored)");
  }

  @Test
  void whatIsRefusedBelowTheFloorNamesTheLevel() {
    String gone = "RAW_GONE raw data of m before 1970-01-31T00:00:00Z is gone ";
    assertThat(levels("1h-p99", "UTC", 2 * DAY, 3 * DAY, 30 * DAY)).isEqualTo("1h.p99:24");
    assertThat(levels("1h-p99", "UTC", 2 * DAY, 4 * DAY, 30 * DAY))
        .isEqualTo(gone + "(rollups of 1h.p99 are not proven for all of its buckets)");
    assertThat(levels("1h-last", "UTC", 2 * DAY, 4 * DAY, 30 * DAY))
        .isEqualTo(gone + "(no rollups of 1h.last are proven to be stored)");
    assertThat(levels("7d-p99", "UTC", 2 * DAY, 4 * DAY, 30 * DAY))
        .isEqualTo(gone + "(p99 of 7d follows only from rollups of this interval)");
    assertThat(levels("0all-p99", "UTC", 4 * DAY, 5 * DAY, 30 * DAY))
        .isEqualTo(gone + "(p99 of 0all follows only from rollups of this interval)");
    // With explicit tags a percentile of a day lacks the hour after the end, one of an hour has it.
    long end = 6 * DAY;
    assertThat(levels("1d-p99", "UTC", new QueryTimes(4 * DAY, end, 4 * DAY, end, end + HOUR), end))
        .isEqualTo("1d.p99:2 raw:3600s");
    assertThat(
            levels(
                "1d-p99", "UTC", new QueryTimes(4 * DAY, end, 4 * DAY, end, end + HOUR), 30 * DAY))
        .isEqualTo(
            gone
                + "(rollups of 1d.p99 are not proven for all of its buckets and the hour after the"
                + " end, which explicitTags reads)");
    end = 3 * DAY - HOUR;
    assertThat(
            levels(
                "1h-p99", "UTC", new QueryTimes(2 * DAY, end, 2 * DAY, end, end + HOUR), 30 * DAY))
        .isEqualTo("1h.p99:24");
  }

  /** Without the object suite all is as before. */
  @Test
  void furtherValuesNeedTheObjectSuite() {
    RollupConfig without =
        RollupConfig.parse(
            """
            {"aggregationIds": {"sum": 0, "count": 2, "p99": 9}, "intervals": [
              {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
               "defaultInterval": true},
              {"table": "t1h", "preAggregationTable": "t1h", "interval": "1h",
               "rowSpan": "1d"}]}
            """);
    Planner planner =
        new Planner(
            new RollupTables(without),
            () -> (level, width, metric) -> TimeRanges.of(0, DAY),
            () -> 0,
            MAX_SCANS);
    assertThat(planner.rawOnly(sub("1h-p99"), "m")).hasToString("p99 does not follow from rollups");
    Planner suite =
        new Planner(
            new RollupTables(SUITE),
            () -> (level, width, metric) -> TimeRanges.none(),
            () -> 0,
            MAX_SCANS);
    assertThat(suite.rawOnly(sub("1h-p50"), "m")).hasToString("rollup_config has no id for [p50]");
    assertThat(suite.rawOnly(sub("1h-median"), "m"))
        .hasToString("median does not follow from rollups");
    assertThat(new RollupTables(SUITE).byLevel())
        .containsOnlyKeys(
            "1h", "1h.p99", "1h.first", "1h.last", "1d", "1d.p99", "1d.first", "1d.last")
        .containsEntry("1d.p99", "t1d");
    assertThat(new RollupTables(CONFIG).byLevel()).containsOnlyKeys("1h", "1d");
  }

  private static final RollupConfig HISTOGRAMS =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
           "suite": {"histograms": [{"metrics": "m,odd", "intervals": "1h,1d"}],
                     "histogramTables": {"1h": "h1h", "1d": "h1d"}},
           "intervals": [
            {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1h", "preAggregationTable": "t1h", "interval": "1h", "rowSpan": "1d"},
            {"table": "t6h", "preAggregationTable": "t6h", "interval": "6h", "rowSpan": "1n"},
            {"table": "t1d", "preAggregationTable": "t1d", "interval": "1d", "rowSpan": "1n"}]}
          """);

  /** The window of days leaves out a metric of which a sketch is too wide. */
  private static Planner histograms(long floor) {
    ProvenTimes proven =
        new ProvenTimes() {
          @Override
          public TimeRanges proven(String level, long widthMillis, String metric) {
            switch (level) {
              case "1h.histogram":
                return TimeRanges.of(DAY, 10 * DAY);
              case "1d.histogram":
                return metric.equals("odd") ? TimeRanges.none() : TimeRanges.of(DAY, 9 * DAY);
              default:
                throw new AssertionError(level);
            }
          }

          @Override
          public long rawFloor(String metric) {
            return floor;
          }

          /** Tables of histograms have none. */
          @Override
          public long rollupFloor(String interval, String metric) {
            return DAY;
          }
        };
    return new Planner(new RollupTables(HISTOGRAMS), () -> proven, () -> 0, MAX_SCANS);
  }

  private static String histograms(
      String downsample, String metric, long from, long to, long floor) {
    DownsamplingSpecification spec = sub(downsample).downsamplingSpecification();
    QueryTimes times = new QueryTimes(from, to, from, to, to);
    return refusal(histograms(floor).histograms(spec, metric, times, new CellCosts(1, 360, 20)));
  }

  @Test
  void percentilesOfHistogramsAreReadFromTheWidestTablesInsideABucket() {
    assertThat(histograms("7d-sum", "m", DAY, 11 * DAY, 0))
        .isEqualTo("1d.histogram:8 1h.histogram:24 raw:86400s");
    assertThat(histograms("1h-sum", "m", DAY, 3 * DAY, 0)).isEqualTo("1h.histogram:48");
    assertThat(histograms("7d-sum", "odd", DAY, 11 * DAY, 0))
        .as("the metric is left out of a window")
        .isEqualTo("1h.histogram:216 raw:86400s");
    assertThat(histograms("1h-sum", "m", 12 * DAY, 13 * DAY, 0))
        .isEqualTo("raw (no proven rollups of 1h.histogram lie inside a bucket)");
    assertThat(histograms("1d-sum", "m", DAY, 3 * DAY, 5 * DAY)).isEqualTo("1d.histogram:2");
    assertThat(histograms("1d-sum", "m", 0, 3 * DAY, 5 * DAY))
        .isEqualTo(
            "RAW_GONE raw data of m before 1970-01-06T00:00:00Z is gone (rollups of 1h.histogram or"
                + " 1d.histogram are not proven for all of its buckets)");
  }

  @Test
  void otherQueriesForHistogramsAreOpenTsdbs() {
    String none = "percentiles and histograms are not in rollups";
    Planner planner = histograms(0);
    assertThat(planner.rawOnly(percentiles("1h-sum"), "m")).isNull();
    assertThat(planner.rawOnly(percentiles("1h-sum"), "other")).hasToString(none);
    assertThat(planner.rawOnly(percentiles("1h-sum"), "")).hasToString(none);
    assertThat(planner.rawOnly(percentiles(null), "m")).hasToString("not downsampled");
    assertThat(planner.rawOnly(percentiles("0all-sum"), "m"))
        .hasToString("OpenTSDB has no 0all of histograms");
    TSSubQuery buckets = percentiles("1h-sum");
    buckets.setShowHistogramBuckets(true);
    assertThat(planner.rawOnly(buckets, "m")).hasToString(none);
    TSSubQuery raw = percentiles("1h-sum");
    raw.setRollupUsage("ROLLUP_RAW");
    assertThat(planner.rawOnly(raw, "m")).hasToString("rollupUsage is ROLLUP_RAW");
    RollupTables off = new RollupTables(HISTOGRAMS, false, true);
    assertThat(off.narrowestHistogram("m")).isZero();
    assertThat(new RollupTables(HISTOGRAMS).narrowestHistogram("m")).isEqualTo(HOUR);
    assertThat(new RollupTables(HISTOGRAMS).byLevel())
        .containsOnlyKeys("1h", "1h.histogram", "6h", "1d", "1d.histogram")
        .containsEntry("1d.histogram", "h1d");
    assertThat(new RollupTables(HISTOGRAMS).function("histogram")).isNull();
  }

  private static TSSubQuery percentiles(String downsample) {
    TSSubQuery sub = sub(downsample);
    sub.setPercentiles(new java.util.ArrayList<>(List.of(99f)));
    return sub;
  }

  private RawReason rawOnly(TSSubQuery sub) {
    return planner().rawOnly(sub, "m");
  }

  private PlannedPieces plan(TSSubQuery sub, long from, long to) {
    return plan(sub, new QueryTimes(from, to, from, to, to));
  }

  private PlannedPieces plan(TSSubQuery sub, QueryTimes times) {
    return planner().plan(sub.downsamplingSpecification(), "m", times, new CellCosts(1, 360, 20));
  }

  private Planner planner() {
    return planner((interval, width, metric) -> coverage.get(interval));
  }

  private static Planner planner(ProvenTimes proven) {
    return new Planner(new RollupTables(CONFIG), () -> proven, () -> 0, MAX_SCANS);
  }

  private static TSSubQuery sub(String downsample) {
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator("sum");
    sub.setMetric("m");
    sub.setDownsample(downsample);
    TSQuery query = new TSQuery();
    query.setStart("1");
    query.setEnd("2");
    query.setQueries(new java.util.ArrayList<>(List.of(sub)));
    query.validateAndSetQuery();
    return sub;
  }
}
