package io.tsdbsuite.query.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.opentsdb.core.DownsamplingSpecification;
import org.junit.jupiter.api.Test;

/** Which pieces of a plan are read from packed tables. */
class PackedPlanTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;
  private static final CellCosts MANY = new CellCosts(100, 360, 200);
  private static final String JSON =
      """
      {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4, "p99": 9},
       "suite": {
         "values": [{"metrics": "*", "intervals": "1h,1d", "aggregators": "p99"}],
         "packed": {"1h": "packed-1h", "1d": "packed-1d"}},
       "intervals": [
        {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
         "defaultInterval": true},
        {"table": "t1h", "preAggregationTable": "t1h", "interval": "1h", "rowSpan": "1d"},
        {"table": "t6h", "preAggregationTable": "t6h", "interval": "6h", "rowSpan": "1n"},
        {"table": "t1d", "preAggregationTable": "t1d", "interval": "1d", "rowSpan": "1n"}]}
      """;

  private static final RollupConfig CONFIG = RollupConfig.parse(JSON);

  private final Map<String, TimeRanges> coverage =
      new HashMap<>(
          Map.of(
              "1h", TimeRanges.of(0, 20 * DAY),
              "1d", TimeRanges.of(2 * DAY, 10 * DAY),
              "1h.p99", TimeRanges.of(5 * DAY, 20 * DAY),
              "1h.packed", TimeRanges.of(0, 30 * DAY),
              "1d.packed", TimeRanges.of(0, 30 * DAY)));

  private PlannedPieces plan(String downsample, long from, long to) {
    return plan(downsample, from, to, MANY, true);
  }

  private PlannedPieces plan(
      String downsample, long from, long to, CellCosts costs, boolean packed) {
    ProvenTimes proven = (level, width, metric) -> coverage.getOrDefault(level, TimeRanges.none());
    return new Planner(new RollupTables(CONFIG, true, packed), () -> proven, () -> 0, 50)
        .plan(
            new DownsamplingSpecification(downsample),
            "m",
            new QueryTimes(from, to, from, to, to),
            costs);
  }

  @Test
  void piecesInsideBothProvenTimesAreReadFromPackedTables() {
    assertThat(plan("1d-sum", 0, 21 * DAY)).hasToString("1h.packed:288 1d.packed:8 raw:86400s");
    coverage.put("1h.packed", TimeRanges.of(0, 12 * DAY));
    assertThat(plan("1d-sum", 0, 20 * DAY)).hasToString("1h.packed:96 1d.packed:8 1h:192");
    coverage.remove("1d.packed");
    assertThat(plan("1d-sum", 0, 20 * DAY)).hasToString("1h.packed:96 1d:8 1h:192");
    assertThat(plan("1d-sum", 0, 20 * DAY, MANY, false)).hasToString("1h:288 1d:8");
  }

  @Test
  void aFurtherAggregatorNeedsItsOwnLevel() {
    assertThat(plan("1h-p99", 4 * DAY, 6 * DAY)).hasToString("1h.packed:24 raw:86400s");
    assertThat(plan("1h-max", 4 * DAY, 6 * DAY)).hasToString("1h.packed:48");
    coverage.remove("1h");
    assertThat(plan("1h-max", 4 * DAY, 6 * DAY))
        .hasToString("raw (no rollups are proven to be stored)");
  }

  /** Its earlier windows count, but new packed rows lack it. */
  @Test
  void anAggregatorThatSuiteDoesNotSelectIsReadFromPlainRows() {
    RollupConfig config = RollupConfig.parse(JSON.replace("\"1h,1d\"", "\"1d\""));
    ProvenTimes proven = (level, width, metric) -> coverage.getOrDefault(level, TimeRanges.none());
    Planner planner = new Planner(new RollupTables(config), () -> proven, () -> 0, 50);
    QueryTimes times = new QueryTimes(5 * DAY, 6 * DAY, 5 * DAY, 6 * DAY, 6 * DAY);
    assertThat(planner.plan(new DownsamplingSpecification("1h-p99"), "m", times, MANY))
        .hasToString("1h.p99:24");
    assertThat(planner.plan(new DownsamplingSpecification("1h-max"), "m", times, MANY))
        .hasToString("1h.packed:24");
  }

  @Test
  void edgesOfTheProvenTimesAreWholeIntervals() {
    coverage.put("1h.packed", TimeRanges.of(4 * DAY + HOUR / 2, 6 * DAY - HOUR / 2));
    PlannedPieces plan = plan("1h-max", 4 * DAY, 6 * DAY);
    assertThat(plan).hasToString("1h:2 1h.packed:46");
    assertThat(plan.pieces())
        .extracting(QueryPlan.Piece::toString)
        .containsExactly(
            "1h [345600000, 349200000)",
            "1h.packed [349200000, 514800000)",
            "1h [514800000, 518400000)");
  }

  /** The plan is made for plain tables; packed ones are read where that costs less. */
  @Test
  void aFurtherScanMustSaveMoreThanItCosts() {
    CellCosts one = new CellCosts(1, 360, 200);
    assertThat(plan("1h-max", DAY, 2 * DAY, one, true)).hasToString("1h.packed:24");
    coverage.put("1h.packed", TimeRanges.of(DAY, DAY + 12 * HOUR));
    assertThat(plan("1h-max", DAY, 2 * DAY, one, true)).hasToString("1h:24");
    assertThat(plan("1h-max", DAY, 2 * DAY)).hasToString("1h.packed:12 1h:12");
  }

  @Test
  void manyHolesMakeNoFurtherScans() {
    TimeRanges packed = TimeRanges.of(0, 20 * DAY);
    for (int day = 0; day < 20; day++) {
      packed = packed.minus(TimeRanges.of(day * DAY + 3 * HOUR, day * DAY + 4 * HOUR));
    }
    coverage.put("1h.packed", packed);
    PlannedPieces plan = plan("1h-max", 0, 20 * DAY, new CellCosts(10, 360, 200), true);
    assertThat(plan).hasToString("1h:480");
    coverage.put("1h.packed", packed.minus(TimeRanges.of(DAY, 19 * DAY)));
    plan = plan("1h-max", 0, 20 * DAY, new CellCosts(20, 360, 200), true);
    assertThat(plan.scans().size()).isLessThan(5);
  }

  @Test
  void aPartCountsAsOneCell() {
    PlanSize packed = plan("1h-avg", 0, 10 * DAY).size();
    assertThat(packed.rollupCells()).isEqualTo(10);
    assertThat(packed.rollupValues()).isEqualTo(480);
    PlanSize plain = plan("1h-avg", 0, 10 * DAY, MANY, false).size();
    assertThat(plain.rollupCells()).isEqualTo(480);
    SeriesEstimate series = new SeriesEstimate(2, 1, 360, 360);
    assertThat(series.cells(packed)).isEqualTo(20);
    assertThat(series.values(packed)).isEqualTo(series.values(plain));
  }

  @Test
  void bothTablesMustStayProven() {
    for (String gone : List.of("1h", "1h.packed")) {
      coverage.put("1h", TimeRanges.of(0, 20 * DAY));
      coverage.put("1h.packed", TimeRanges.of(0, 20 * DAY));
      ProvenTimes planned = reading(0);
      ProvenTimes[] now = {planned};
      PlannedPieces plan =
          new Planner(new RollupTables(CONFIG), () -> now[0], () -> 0, 50)
              .plan(
                  new DownsamplingSpecification("1h-sum"),
                  "m",
                  new QueryTimes(0, DAY, 0, DAY, DAY),
                  MANY);
      plan.checkProof();
      coverage.remove(gone);
      now[0] = reading(0);
      assertThatThrownBy(plan::checkProof)
          .isInstanceOf(NoLongerProvenException.class)
          .hasMessageContaining("it lacks " + gone + " [");
      PlannedPieces plain = Objects.requireNonNull(plan.plain());
      assertThat(plain).hasToString("1h:24");
      assertThat(plain.plain()).isNull();
      if (gone.equals("1h.packed")) {
        plain.checkProof();
      }
    }
  }

  /** A part that cannot be read may come after minutes. */
  @Test
  void thePlainTablesAreProvenFromTheLastLookOn() {
    long[] clock = {0};
    ProvenTimes[] now = {reading(0)};
    PlannedPieces plan =
        new Planner(new RollupTables(CONFIG), () -> now[0], () -> clock[0], 50)
            .plan(
                new DownsamplingSpecification("1h-sum"),
                "m",
                new QueryTimes(0, DAY, 0, DAY, DAY),
                MANY);
    assertThat(plan).hasToString("1h.packed:24");
    for (int i = 1; i < 4; i++) {
      clock[0] = 50_000L * i;
      now[0] = reading(clock[0]);
      plan.checkProof();
    }
    PlannedPieces plain = Objects.requireNonNull(plan.plain());
    clock[0] += 50_000;
    now[0] = reading(clock[0]);
    plain.checkProof();
    clock[0] += 60_001;
    now[0] = reading(clock[0]);
    assertThatThrownBy(plain::checkProof)
        .isInstanceOf(NoLongerProvenException.class)
        .hasMessageContaining("not read for a minute");
  }

  /** A reading of its own. */
  private ProvenTimes reading(long began) {
    Map<String, TimeRanges> read = new HashMap<>(coverage);
    return new ProvenTimes() {
      @Override
      public TimeRanges proven(String level, long width, String metric) {
        return read.getOrDefault(level, TimeRanges.none());
      }

      @Override
      public long began() {
        return began;
      }
    };
  }

  @Test
  void windowsOfPackedTablesAreReadUnlessTheyAreOff() {
    assertThat(new RollupTables(CONFIG).byLevel())
        .containsEntry("1h.packed", "packed-1h")
        .containsEntry("1d.packed", "packed-1d")
        .doesNotContainKey("6h.packed");
    assertThat(new RollupTables(CONFIG, true, false).byLevel())
        .doesNotContainKeys("1h.packed", "1d.packed");
  }
}
