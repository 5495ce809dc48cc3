package io.tsdbsuite.rollup.tiers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.rollup.RollupConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyReaderTest {
  private static final String DEFAULT = interval("tsdb", "1s", "1h") + ",'defaultInterval':true}";
  private static final RollupConfig ROLLUPS =
      config(
          DEFAULT,
          interval("rollup-1d", "1d", "1y") + "}",
          interval("rollup-1h", "1h", "1d") + "}",
          interval("rollup-7m", "7m", "14h") + "}");

  private final List<String> problems = new ArrayList<>();

  private static String interval(String table, String interval, String span) {
    return "{'table':'%s','preAggregationTable':'%s','interval':'%s','rowSpan':'%s'"
        .formatted(table, table, interval, span);
  }

  private static RollupConfig config(String... intervals) {
    return RollupConfig.parse(
        ("{'aggregationIds':{'sum':0,'count':2,'min':3,'max':4},'intervals':["
                + String.join(",", intervals)
                + "]}")
            .replace('\'', '"'));
  }

  private Policy read(String json) {
    return read(json, ROLLUPS);
  }

  private Policy read(String json, RollupConfig rollups) {
    return PolicyReader.read(json.replace('\'', '"').getBytes(UTF_8), rollups, problems);
  }

  @Test
  void theFirstMatchCounts() {
    Policy policy =
        read(
            "[{'match':'app.debug.*'},{'match':'app.*','raw':'30d','1h':'13M','1d':'5y'},"
                + "{'match':'*','raw':'2w'}]");
    assertThat(problems).isEmpty();
    assertThat(policy.of("app.debug.x").keep()).isEmpty();
    assertThat(policy.of("app.x").keep()).isEqualTo(Map.of("raw", 30, "1h", 390, "1d", 1825));
    assertThat(policy.of("web.x").keep()).isEqualTo(Map.of("raw", 14));
    assertThat(policy.limits("1h")).isTrue();
    assertThat(policy.limits("7m")).isFalse();
    assertThat(policy.entries().stream().map(policy::metrics))
        .containsExactly(
            List.of("app.debug.*"),
            List.of("app.*", "!app.debug.*"),
            List.of("*", "!app.debug.*", "!app.*"));
    assertThat(policy.sha256()).hasSize(64);
  }

  /**
   * The table of an interval that an entry does not name keeps all: there an idle series is left.
   */
  @Test
  void idleIsNoTable() {
    Policy policy =
        read(
            "[{'match':'a','idle':'1w'},{'match':'b','raw':'30d','1h':'90d','idle':'2y'},"
                + "{'match':'c','raw':'30d','1h':'90d','1d':'1y','idle':'364d'}]");
    assertThat(problems).isEmpty();
    assertThat(policy.entries().stream().map(Policy.Entry::idle)).containsExactly(7, 730, 364);
    assertThat(policy.of("a").keep()).isEmpty();
    assertThat(policy.limited()).containsExactly("raw", "1h", "1d");
    assertThat(policy.limits("idle")).isFalse();
  }

  @Test
  void otherBytesThanUtf8AreRefused() {
    byte[] latin1 =
        "[{\"match\":\"\u00e9t\u00e9\"},{\"match\":\"*\",\"raw\":\"2w\"}]".getBytes(ISO_8859_1);
    assertThat(PolicyReader.read(latin1, ROLLUPS, problems).entries()).isEmpty();
    assertThat(problems).containsExactly("must be UTF-8, found other bytes");
  }

  @Test
  void aMetricWithoutAMatchKeepsAll() {
    Policy policy = read("[{'match':'app.*','raw':'30d'}]");
    assertThat(problems).isEmpty();
    assertThat(policy.of("application")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | must be a JSON array of 1 to 100 entries, found OBJECT",
        "[] | must be a JSON array of 1 to 100 entries, found 0",
        "[1] | entry 1 must be an object, found NUMBER",
        "[{'match':'a'} | must be JSON: Unexpected end-of-input",
        "[{'match':'a'}] [] | must be JSON: Trailing token",
        "[{'match':'a','match':'b'}] | must be JSON: Duplicate field 'match'",
        "[{'raw':'1d'}] | entry 1: match must be one pattern of metrics as for --metrics, at most"
            + " 256 characters (app.*; no regular expression: write ? for a character of one),"
            + " found nothing",
        "[{'match':''}] | found ''",
        "[{'match':7}] | found 7",
        "[{'match':'^app[.]'}] | no regular expression",
        "[{'match':'!a'}] | found '!a'",
        "[{'match':'a,b'}] | found 'a,b'",
        "[{'match':'a','1h.histogram':'1y'}] | entry 1: a key must not be of histograms, whose"
            + " tables keep everything, found 1h.histogram",
        "[{'match':'a','idl':'1y'}] | entry 1: a key must be match, idle, raw or an interval of"
            + " rollup_config.json that rollup-job makes, found idl",
        "[{'match':'a','idle':365}] | entry 1: idle must be a number and one of the units d w M y"
            + " (a day, a week, 30 and 365 days), at most 100y, found 365",
        "[{'match':'a','idle':'6d'}] | entry 1: idle must be at least 7d, the greatest age of a"
            + " proof, and at most 50y, found 6d",
        "[{'match':'a','idle':'51y'}] | and at most 50y, found 18615d",
        "[{'match':'a','raw':'1d','1h':'30d','1d':'1y','idle':'1y'}] | entry 1: idle must"
            + " be shorter than what its tables keep (365d), or nothing is left to go, found 365d",
        "[{'match':'a','1s':'1y'}] | found 1s",
        "[{'match':'a','7m':'1y'}] | found 7m",
        "[{'match':'a','1w':'1y'}] | found 1w",
        "[{'match':'a','raw':'30m'}] | entry 1: raw must be a number and one of the units d w M y"
            + " (a day, a week, 30 and 365 days), at most 100y, found '30m'",
        "[{'match':'a','raw':30}] | found 30",
        "[{'match':'a','raw':'0d'}] | found '0d'",
        "[{'match':'a','raw':'101y'}] | found '101y'",
        "[{'match':'a','raw':'30d','1h':'30d'}] | entry 1: 1h must be kept longer than raw, found"
            + " 30d, and 30d",
        "[{'match':'a','raw':'30d','1h':'90d','1d':'60d'}] | 1d must be kept longer than 1h, found"
            + " 60d, and 90d",
        "[{'match':'a','1h':'90d'}] | 1h must be kept longer than raw, found 90d, and raw for ever",
        "[{'match':'a*'},{'match':'ab'}] | entries 1 and 2, a* and ab, must not match the same"
            + " metrics: the second would never count",
        "[{'match':'a'},{'match':'a'}] | the second would never count",
        "[{'match':'a*'},{'match':'*b'}] | entries 1 and 2, a* and *b, must not overlap in part",
      })
  void impossiblePoliciesAreRefused(String json, String problem) {
    Policy unused = read(json);
    assertThat(String.join("\n", problems).replace('"', '\'')).contains(problem);
  }

  /** A table that can never be proven keeps its rows, and those of the wider ones. */
  @Test
  void noTableHoldsBackAWiderOne() {
    String policy = "[{'match':'a','raw':'30d','10m':'90d','1h':'1y'}]";
    String narrow = interval("rollup-10m", "10m", "%s") + "}";
    String wide = interval("rollup-1h", "1h", "1n") + "}";
    Policy unused = read(policy, config(DEFAULT, narrow.formatted("1d"), wide));
    assertThat(problems).isEmpty();
    unused = read(policy, config(DEFAULT, narrow.formatted("6h"), wide));
    assertThat(problems)
        .containsExactly(
            "entry 1: 10m must have a rowSpan of a day or more to be proven, found 6h: leave 10m"
                + " out, because rows of 1h go only after its rows");
    problems.clear();
    unused =
        read(
            "[{'match':'a','raw':'30d','10m':'90d'}]",
            config(DEFAULT, narrow.formatted("6h"), wide));
    assertThat(problems).isEmpty();
    String odd = interval("rollup-8h", "8h", "1n") + "}";
    String noMultiple = interval("rollup-12h", "12h", "1n") + "}";
    unused =
        read("[{'match':'a','raw':'30d','8h':'90d','12h':'1y'}]", config(DEFAULT, odd, noMultiple));
    assertThat(problems)
        .containsExactly(
            "entry 1: 8h must have a multiple among the wider intervals to be proven, found"
                + " 8h,12h: leave 8h out, because rows of 12h go only after its rows");
  }

  @Test
  void rawNeedsRollupsThatOutliveIt() {
    Policy unused = read("[{'match':'a','raw':'1d'}]", config(DEFAULT));
    assertThat(problems)
        .containsExactly(
            "entry 1: raw must have rollups that outlive it, found none in rollup_config.json");
  }

  /** A floor excludes the patterns of earlier entries; its row has room for so many. */
  @Test
  void theMetricsOfAnEntryMustFitIntoAFloor() {
    String narrow =
        IntStream.range(0, 21)
            .mapToObj(i -> "{'match':'a%s%s'}".formatted(i, "x".repeat(200)))
            .collect(joining(","));
    Policy fits = read("[%s,{'match':'b*','raw':'30d'}]".formatted(narrow));
    assertThat(problems).isEmpty();
    assertThat(fits.entries()).hasSize(22);
    Policy unused = read("[%s,{'match':'*','raw':'30d'}]".formatted(narrow));
    assertThat(problems)
        .containsExactly(
            "entry 22: match and the patterns of earlier entries inside it must have at most 4096"
                + " bytes together, found *, 4296 characters");
  }

  @Test
  void allProblemsAreToldAtOnceAndShortly() {
    Policy unused = read("[{'match':'%s','raw':'x','k':'1d'},3]".formatted("(".repeat(100_000)));
    assertThat(problems).hasSize(4).allMatch(problem -> problem.length() < 400);
  }
}
