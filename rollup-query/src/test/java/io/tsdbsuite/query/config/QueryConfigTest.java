package io.tsdbsuite.query.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.metrics.plugin.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class QueryConfigTest {
  private static final long HEAP = 8L << 30;

  private static QueryConfig read(String... keysAndValues) {
    Map<String, String> conf = new HashMap<>();
    conf.put("tsd.mode", "ro");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put("tsd.rollup_query." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return QueryConfig.read(conf, HEAP);
  }

  @Test
  void defaultsDependOnTheHeap() {
    QueryConfig config = read();
    assertThat(config.takeover()).isFalse();
    assertThat(config.clientHeader()).isEmpty();
    assertThat(config.limits().millis()).isEqualTo(300_000);
    assertThat(config.limits().cells()).isZero();
    assertThat(config.limits().bytes()).isEqualTo(2L << 30);
    assertThat(config.maxCellsInFlight()).isZero();
    assertThat(config.maxBytesInFlight()).isEqualTo(4L << 30);
    assertThat(config.coverageMillis()).isEqualTo(10_000);
    assertThat(config.maxBatches()).isEqualTo(64);
    assertThat(config.passesAll()).isFalse();
    assertThat(config.readsPacked()).isTrue();
    assertThat(config.shadow().oneIn()).isEqualTo(1000);
    assertThat(config.shadow().recheckMillis()).isEqualTo(30_000);
    assertThat(config.shadow().rawTtlMillis()).isZero();
  }

  @Test
  void keysAreRead() {
    QueryConfig config =
        read(
            "takeover", " TRUE ",
            "coverage.seconds", "2",
            "max_batches", "7",
            "pass_through", "all",
            "packed", "off",
            "client_header", "X-Grafana-User",
            "max_seconds_per_query", "30",
            "max_cells_per_query", "1000000",
            "max_megabytes_per_query", "3",
            "max_cells_in_flight", "2000000",
            "max_megabytes_in_flight", "0",
            "shadow.one_in", "0",
            "shadow.recheck_seconds", "60",
            "shadow.raw_ttl_seconds", "7776000");
    assertThat(config.takeover()).isTrue();
    assertThat(config.coverageMillis()).isEqualTo(2000);
    assertThat(config.maxBatches()).isEqualTo(7);
    assertThat(config.passesAll()).isTrue();
    assertThat(config.readsPacked()).isFalse();
    assertThat(config.clientHeader()).isEqualTo("X-Grafana-User");
    assertThat(config.limits().millis()).isEqualTo(30_000);
    assertThat(config.limits().cells()).isEqualTo(1_000_000);
    assertThat(config.limits().bytes()).isEqualTo(3 << 20);
    assertThat(config.maxCellsInFlight()).isEqualTo(2_000_000);
    assertThat(config.maxBytesInFlight()).isZero();
    assertThat(config.shadow().oneIn()).isZero();
    assertThat(config.shadow().recheckMillis()).isEqualTo(60_000);
    assertThat(config.shadow().rawTtlMillis()).isEqualTo(7_776_000_000L);
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    assertThatThrownBy(
            () ->
                read(
                    "takeover", "yes",
                    "sketches", "functions",
                    "client_header", "X User",
                    "max_seconds_per_query", "-1",
                    "max_cells_per_query", "1e6",
                    "max_megabytes_per_query", "",
                    "max_cells", "5"))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .containsExactlyInAnyOrder(
                        "tsd.rollup_query.takeover must be one of true, false, found yes",
                        "tsd.rollup_query.sketches must be one of percentiles, off, found"
                            + " functions",
                        "tsd.rollup_query.client_header must be the name of an HTTP header, found"
                            + " X User",
                        "tsd.rollup_query.max_seconds_per_query must be an integer from 0 to 86400,"
                            + " found -1",
                        "tsd.rollup_query.max_cells_per_query must be an integer from 0 to"
                            + " 1000000000000, found 1e6",
                        "tsd.rollup_query.max_megabytes_per_query must have a value, or be left"
                            + " out",
                        "tsd.rollup_query.max_cells is no key of rollup-query"));
  }

  /** OpenTSDB takes any key, so the TSD would start without what was meant. */
  @Test
  void keysThatAlmostHaveThePrefixAreRefused() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.split_query.enable", "true");
    QueryConfig.read(conf, HEAP);
    conf.put("rollup_query.takeover", "true");
    conf.put("tsd.Rollup_Query.takeover", "true");
    conf.put("tsd.rollup-query.takeover", "true");
    conf.put("tsd.rollupquery.takeover", "true");
    conf.put("tsd.rollups.query_takeover", "true");
    assertThatThrownBy(() -> QueryConfig.read(conf, HEAP))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .hasSize(5)
                    .contains(
                        "tsd.rollup-query.takeover is no key of rollup-query: they begin with"
                            + " tsd.rollup_query."));
  }

  @Test
  void keysAndDefaultsAreDocumented() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "rollup-query.md"));
    Matcher row = Pattern.compile("(?m)^\\| `([a-z_.]+)` \\| ([^|]*) \\|").matcher(page);
    Map<String, String> documented = new TreeMap<>();
    int begin = page.indexOf("| Key, after `tsd.rollup_query.`");
    row.region(begin, page.indexOf("\n\n", begin));
    while (row.find()) {
      documented.put(row.group(1), row.group(2));
    }
    Map<String, String> keys = new TreeMap<>(QueryConfig.keys(HEAP));
    assertThat(documented.keySet()).isEqualTo(keys.keySet());
    keys.put("client_header", "none");
    keys.put("max_megabytes_per_query", "a quarter of the heap");
    keys.put("max_megabytes_in_flight", "half of the heap");
    assertThat(documented).isEqualTo(keys);
  }
}
