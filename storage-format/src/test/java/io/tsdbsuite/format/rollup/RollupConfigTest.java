package io.tsdbsuite.format.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.schema.SchemaException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RollupConfigTest {
  private static final String GOOD =
      """
      {"aggregationIds": {"sum":0,"COUNT":2,"min":3,"max":4},
       "unknown": 1,
       "intervals":[
        {"table":"tsdb","preAggregationTable":"tsdb-preagg","interval":"1m","rowSpan":"1h",
         "defaultInterval":true,"unknown":2},
        {"table":"tsdb-1h","preAggregationTable":"tsdb-agg-1h","interval":"1h","rowSpan":"1d",
         "delaySla":"2d"}]}
      """;

  private static String oneInterval(String interval, String rowSpan) {
    return """
    {"aggregationIds": {"count":2},
     "intervals":[{"table":"t","preAggregationTable":"p","interval":"%s","rowSpan":"%s",
       "defaultInterval":true}]}
    """
        .formatted(interval, rowSpan);
  }

  @Test
  void good() {
    RollupConfig config = RollupConfig.parse(GOOD);

    assertThat(config.intervals()).extracting(RollupInterval::interval).containsExactly("1m", "1h");
    assertThat(config.aggregatorId("count")).isEqualTo(2);
    assertThat(config.aggregatorId("Sum")).isZero();
    assertThat(config.aggregatorId("avg")).isNull();
    assertThat(config.aggregatorIds()).containsOnlyKeys("sum", "count", "min", "max");
    assertThat(config.warnings()).isEmpty();
    assertThat(config.defaultInterval().interval()).isEqualTo("1m");
    RollupInterval hour = config.interval("1h");
    assertThat(hour.table()).isEqualTo("tsdb-1h");
    assertThat(hour.preAggregationTable()).isEqualTo("tsdb-agg-1h");
    assertThat(hour.rowSpan()).isEqualTo("1d");
    assertThat(hour.seconds()).isEqualTo(3600);
    assertThat(hour.delaySlaSeconds()).isEqualTo(2 * 86400);
    assertThat(hour.intervalsPerRow()).isEqualTo(24);
    assertThat(hour.defaultInterval()).isFalse();
    assertThat(config.interval("60m")).isNull();
    assertThat(config.interval("1m").delaySlaSeconds()).isZero();
  }

  @Test
  void fileOrInline(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("rollup.json"), GOOD);

    assertThat(RollupConfig.load(file.toString()).intervals()).hasSize(2);
    assertThat(RollupConfig.load(GOOD).intervals()).hasSize(2);
    assertThatThrownBy(() -> RollupConfig.load(dir.resolve("absent.json").toString()))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void allProblemsComeAtOnce() {
    SchemaException e =
        catchThrowableOfType(
            SchemaException.class,
            () ->
                RollupConfig.parse(
                    """
                    {"aggregationIds": {"sum":0,"min":0,"max":128,"squareSum":7,"SUM":9},
                     "intervals":[
                      {"preAggregationTable":"","interval":"1h","rowSpan":"1d"},
                      {"table":"t","preAggregationTable":"p","interval":"1x","rowSpan":"3h"},
                      {"table":"t","preAggregationTable":"p","interval":"1h","rowSpan":"1d",
                       "delaySla":"soon","defaultInterval":1},
                      7]}
                    """));

    assertThat(e.problems())
        .containsExactly(
            "aggregationIds.min: an id must be used once, found 0",
            "aggregationIds.max: must be a number from 0 to 127, found 128",
            "aggregationIds.squareSum: must be an aggregator of OpenTSDB 2.4, found 'squareSum'",
            "aggregationIds.SUM: an aggregator must be named once, in any case, found 'SUM'",
            "aggregationIds.count: compulsory, every rollup query looks it up, found nothing",
            "intervals[0].table: must be the name of a table, found nothing",
            "intervals[0].preAggregationTable: must be the name of a table, found \"\"",
            "intervals[1].interval: must be a number and one of the units s m h d w n y,"
                + " found \"1x\"",
            "intervals[1].rowSpan: must be 1h, an even number of hours, 1d, 1n or 1y,"
                + " found \"3h\"",
            "intervals[2].delaySla: must be a number and one of the units s m h d w n y,"
                + " found \"soon\"",
            "intervals[2].defaultInterval: must be true or false, found 1",
            "intervals[3]: must be an object, found 7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not json | must be JSON",
        "[] | must be a JSON object",
        "{} | intervals: must be a list",
        "{\"aggregationIds\":{},\"intervals\":[]} | aggregationIds: must name",
        "{\"aggregationIds\":{\"sum\":0,\"sum\":1}} | Duplicate field"
      })
  void notAConfiguration(String json, String problem) {
    assertThatThrownBy(() -> RollupConfig.parse(json))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void exactlyOneDefault() {
    assertThatThrownBy(() -> RollupConfig.parse(GOOD.replace("true", "false")))
        .hasMessageContaining("exactly one must have \"defaultInterval\": true, found 0");
    assertThatThrownBy(
            () -> RollupConfig.parse(GOOD.replace("\"2d\"", "\"2d\",\"defaultInterval\":true")))
        .hasMessageContaining("found 2");
    assertThatThrownBy(
            () -> RollupConfig.parse(GOOD.replace("\"1h\",\"rowSpan\"", "\"1m\",\"rowSpan\"")))
        .hasMessageContaining("intervals[1].interval: must be configured once, found '1m'");
  }

  @ParameterizedTest
  @CsvSource({
    "1m, 1h, 60",
    "1m, 1d, 1440",
    "15m, 1n, 3072",
    "12m, 1n, 3840",
    "1h, 1n, 768",
    "1d, 1n, 32",
    "1d, 1y, 366",
    "1h, 24h, 24",
    "5s, 2h, 1440",
    "5m, 1h, 12"
  })
  void fits(String interval, String rowSpan, int perRow) {
    RollupConfig config = RollupConfig.parse(oneInterval(interval, rowSpan));
    assertThat(config.interval(interval).intervalsPerRow()).isEqualTo(perRow);
    assertThat(config.warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"10m, 1n", "2h, 1y", "15s, 1d", "1h, 1h", "1h, 2h", "1n, 1n", "10m, 1h"})
  void doesNotFit(String interval, String rowSpan) {
    assertThatThrownBy(() -> RollupConfig.parse(oneInterval(interval, rowSpan)))
        .hasMessageContaining("must fit 12 to 3840 times in rowSpan");
  }

  @ParameterizedTest
  @CsvSource({"1, annotation", "5, append", "6, histogram", "115, 's'", "99, 'c'"})
  void dangerousIdsAreWarnedOf(int id, String why) {
    RollupConfig config =
        RollupConfig.parse(oneInterval("1m", "1h").replace("\"count\":2", "\"count\":" + id));

    assertThat(config.warnings()).hasSize(1);
    assertThat(config.warnings().get(0)).contains("aggregationIds.count: id " + id, why);
  }

  @Test
  void doubtfulIntervalsAreWarnedOf() {
    assertThat(RollupConfig.parse(oneInterval("7m", "2h")).warnings().get(0))
        .contains("7m does not divide rows of 2h");
    assertThat(RollupConfig.parse(oneInterval("1w", "1y")).warnings()).hasSize(1);
    assertThat(RollupConfig.parse(GOOD.replace("tsdb-1h", "tsdb")).warnings().get(0))
        .contains("table 'tsdb' holds 1m already");
  }
}
