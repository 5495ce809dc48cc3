package io.tsdbsuite.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.opentsdb.rollup.RollupUtils;
import net.opentsdb.utils.JSON;
import org.junit.jupiter.api.Test;

/** Compares rollup configurations and cells with OpenTSDB's. */
class RollupContractTest {
  private static final int CONFIGS = 20_000;
  private static final int CELLS = 50_000;
  private static final long SECONDS = 1L << 32;

  /** The rules in which storage-format is stricter, with reasons (docs/storage.md 6.1). */
  private static final String[] STRICTER = {
    "must fit 12 to 3840 times in rowSpan", // 12 bits of offset, not 7774
    "compulsory, every rollup query looks it up", // a TSD starts without count, queries fail
    "an aggregator must be named once, in any case", // the last one wins
    "must be a number and one of the units", // a TSD takes milliseconds and text in between
    "must be a number from 0 to 127", // Jackson turns text and fractions into numbers
    "must be true or false", // Jackson turns text and numbers into booleans
  };

  private final Random random = new Random(Seed.VALUE);

  private static final String[] INTERVALS = {
    "1m", "5m", "10m", "15m", "12m", "1h", "2h", "6h", "1d", "1w", "1n", "30s", "15s", "7m", "60m",
    "1H", "0m", "m", "1x", "", "-1h", "1500ms", "60000ms", "1.5h", "1 h"
  };
  private static final String[] SPANS = {
    "1h", "2h", "3h", "6h", "24h", "1d", "2d", "1n", "1y", "1w", "", "x", "1s", "1D", "0h"
  };
  private static final String[][] USUAL = {
    {"1m", "1h"}, {"5m", "6h"}, {"10m", "1d"}, {"1h", "1n"}, {"1d", "1y"}, {"30s", "2h"}
  };
  private static final String[] AGGREGATORS = {
    "sum", "count", "min", "max", "avg", "SUM", "Count", "p99", "squareSum", "dev", "nosuch"
  };
  private static final String[] SLAS = {"2d", "1h", "0s", "soon", "", "500ms", "5000ms"};

  private String one(String... choice) {
    return choice[random.nextInt(choice.length)];
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  /** A mostly valid configuration with random errors. */
  private String config() {
    Set<String> ids = new LinkedHashSet<>();
    if (!chance(30)) {
      ids.add("\"count\":2");
    }
    Set<String> names = new LinkedHashSet<>(List.of("count"));
    for (int i = random.nextInt(4); i > 0; i--) {
      String name = chance(3) ? one(AGGREGATORS) : AGGREGATORS[random.nextInt(4)];
      if (names.add(name)) {
        String id = chance(15) ? one("-1", "128", "127", "1.5", "\"7\"", "2") : "" + (i * 11 + 3);
        ids.add("\"" + name + "\":" + id);
      }
    }
    List<String> intervals = new ArrayList<>();
    int n = chance(30) ? 0 : 1 + random.nextInt(3);
    for (int i = 0; i < n; i++) {
      intervals.add(interval(i == 0 ? !chance(10) : chance(20)));
    }
    return "{\"aggregationIds\":{"
        + String.join(",", ids)
        + "},\"other\":1,\"intervals\":["
        + String.join(",", intervals)
        + "]}";
  }

  private String interval(boolean isDefault) {
    List<String> fields = new ArrayList<>();
    if (!chance(30)) {
      fields.add("\"table\":\"" + (chance(30) ? "" : "t" + random.nextInt(9)) + "\"");
    }
    if (!chance(30)) {
      fields.add("\"preAggregationTable\":\"" + (chance(30) ? "" : "p") + "\"");
    }
    boolean usual = !chance(4);
    String[] pair = USUAL[random.nextInt(USUAL.length)];
    fields.add("\"interval\":\"" + (usual ? pair[0] : one(INTERVALS)) + "\"");
    fields.add("\"rowSpan\":\"" + (usual ? pair[1] : one(SPANS)) + "\"");
    if (isDefault) {
      fields.add("\"defaultInterval\":" + (chance(20) ? one("\"true\"", "1", "null") : "true"));
    }
    if (chance(4)) {
      fields.add("\"delaySla\":\"" + one(SLAS) + "\"");
    }
    return "{" + String.join(",", fields) + ",\"more\":{}}";
  }

  @Test
  void configurations() {
    int accepted = 0;
    int refused = 0;
    int stricter = 0;
    for (int i = 0; i < CONFIGS; i++) {
      String json = config();
      String where = Seed.describe(i) + json;
      net.opentsdb.rollup.RollupConfig real = real(json);
      List<String> problems = List.of();
      RollupConfig ours = null;
      try {
        ours = RollupConfig.parse(json);
      } catch (SchemaException e) {
        problems = e.problems();
      }
      if (real == null) {
        assertThat(problems).as(where).isNotEmpty();
        refused++;
      } else if (ours == null) {
        assertThat(problems)
            .as(where)
            .allSatisfy(problem -> assertThat(problem).containsAnyOf(STRICTER));
        stricter++;
      } else {
        sameConfig(where, ours, real);
        accepted++;
      }
    }
    System.out.printf(
        "rollup configurations: %d accepted by both, %d refused by both, %d by us alone%n",
        accepted, refused, stricter);
    assertThat(accepted).isGreaterThan(CONFIGS / 10);
    assertThat(refused).isGreaterThan(CONFIGS / 10);
    assertThat(stricter).isGreaterThan(CONFIGS / 50);
  }

  /** The object of the suite is none of OpenTSDB's properties (docs/queries.md). */
  @Test
  void theObjectSuiteIsIgnored() {
    String json =
        """
        {"aggregationIds": {"count":2,"p99":10,"first":11},
         "suite": {"values": [{"metrics": "a.*,!a.b", "intervals": "1h", "aggregators": "p99"}]},
         "intervals":[
          {"table":"t","preAggregationTable":"p","interval":"1m","rowSpan":"1h",
           "defaultInterval":true},
          {"table":"t1","preAggregationTable":"p1","interval":"1h","rowSpan":"1d"}]}
        """;
    RollupConfig ours = RollupConfig.parse(json);
    assertThat(ours.suite().aggregators("1h")).containsExactly("p99");
    sameConfig(json, ours, real(json));
    String without = json.replaceAll("\"suite\".*", "");
    assertThat(real(json)).hasToString(real(without).toString());
  }

  /** Reads the configuration like a starting TSD; null if the TSD does not start. */
  private static net.opentsdb.rollup.RollupConfig real(String json) {
    try {
      net.opentsdb.rollup.RollupConfig config =
          JSON.parseToObject(json, net.opentsdb.rollup.RollupConfig.class);
      boolean hasDefault =
          config.getRollups().values().stream()
              .anyMatch(net.opentsdb.rollup.RollupInterval::isDefaultInterval);
      return hasDefault ? config : null;
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static void sameConfig(
      String where, RollupConfig ours, net.opentsdb.rollup.RollupConfig real) {
    assertThat(ours.aggregatorIds()).as(where).isEqualTo(real.getAggregationIds());
    assertThat(ours.intervals()).as(where).hasSize(real.getRollups().size());
    for (RollupInterval interval : ours.intervals()) {
      net.opentsdb.rollup.RollupInterval other = real.getRollupInterval(interval.interval());
      assertThat(interval.seconds()).as(where).isEqualTo(other.getIntervalSeconds());
      assertThat(interval.table()).as(where).isEqualTo(other.getTable());
      assertThat(interval.preAggregationTable())
          .as(where)
          .isEqualTo(other.getPreAggregationTable());
      assertThat(interval.rowSpan()).as(where).isEqualTo(other.getRowSpan());
      assertThat(interval.defaultInterval()).as(where).isEqualTo(other.isDefaultInterval());
      assertThat(interval.delaySlaSeconds()).as(where).isEqualTo(other.getMaximumLag());
      assertThat(interval.intervalsPerRow()).as(where).isEqualTo(other.getIntervals());
    }
  }

  @Test
  void baseTimesAndQualifiers() {
    String json =
        """
        {"aggregationIds":{"count":2},"intervals":[
         {"table":"t","preAggregationTable":"p","interval":"1m","rowSpan":"1h",
          "defaultInterval":true},
         {"table":"t","preAggregationTable":"p","interval":"7m","rowSpan":"6h"},
         {"table":"t","preAggregationTable":"p","interval":"1h","rowSpan":"24h"},
         {"table":"t","preAggregationTable":"p","interval":"30m","rowSpan":"1d"},
         {"table":"t","preAggregationTable":"p","interval":"15m","rowSpan":"1n"},
         {"table":"t","preAggregationTable":"p","interval":"1d","rowSpan":"1y"}]}
        """;
    List<RollupInterval> intervals = RollupConfig.parse(json).intervals();
    net.opentsdb.rollup.RollupConfig real = real(json);
    int rest = 0;
    for (int i = 0; i < CELLS; i++) {
      RollupInterval interval = intervals.get(random.nextInt(intervals.size()));
      net.opentsdb.rollup.RollupInterval other = real.getRollupInterval(interval.interval());
      long time = Math.floorMod(random.nextLong(), SECONDS);
      String where = Seed.describe(i) + interval + " " + time;

      long base = interval.baseTime(time);
      int realBase = RollupUtils.getRollupBasetime(time, other);
      assertThat(base).as(where).isEqualTo(Integer.toUnsignedLong(realBase));

      int id = random.nextInt(128);
      if (time - base >= interval.seconds() * interval.intervalsPerRow()) {
        // The rest of a row that the interval does not divide has no offset.
        assertThatThrownBy(() -> RollupCell.offset(interval, base, time))
            .as(where)
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RollupUtils.buildRollupQualifier(time, (short) 7, id, other))
            .as(where)
            .isInstanceOf(IllegalArgumentException.class);
        rest++;
        continue;
      }
      int offset = RollupCell.offset(interval, base, time);
      assertThat(RollupCell.doubleQualifier(id, offset))
          .as(where)
          .isEqualTo(RollupUtils.buildRollupQualifier(time, realBase, (short) 0xf, id, other));
      byte[] count = RollupCell.countQualifier(id, offset);
      assertThat(count)
          .as(where)
          .isEqualTo(RollupUtils.buildRollupQualifier(time, (short) 0x7, id, other));
      assertThat(RollupCell.is(count, 0, 3)).isTrue();
      assertThat(offset * interval.seconds() * 1000)
          .isEqualTo(RollupUtils.getOffsetFromRollupQualifier(count, 1, other));
    }
    assertThat(rest).isPositive();
  }
}
