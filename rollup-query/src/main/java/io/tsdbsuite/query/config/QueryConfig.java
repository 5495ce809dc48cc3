package io.tsdbsuite.query.config;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.metrics.plugin.ConfigException;
import io.tsdbsuite.metrics.plugin.Keys;
import io.tsdbsuite.query.run.QueryLimits;
import io.tsdbsuite.query.shadow.ShadowSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The plugin's settings; immutable. Explained in docs/rollup-query.md. */
public final class QueryConfig {
  /** Prefix of all keys. */
  public static final String PREFIX = "tsd.rollup_query.";

  private static final String NAME = "rollup-query";

  /** As {@code tsd.rollup-query.takeover}; OpenTSDB takes any key. */
  private static final Pattern ALMOST_PREFIX =
      Pattern.compile("(tsd[._-]?)?rollups?[._-]?query([._-]|$)", Pattern.CASE_INSENSITIVE);

  private static final long MEGABYTE = 1L << 20;
  private static final long MAX_MEGABYTES = 1L << 30;
  private static final long MAX_CELLS = 1_000_000_000_000L;
  private static final long DAY = 86_400;

  private final boolean takeover;
  private final boolean annotations;
  private final boolean histograms;
  private final boolean packed;
  private final String coverageTable;
  private final long coverageMillis;
  private final boolean passesAll;
  private final String clientHeader;
  private final int maxBatches;
  private final QueryLimits limits;
  private final long maxCellsInFlight;
  private final long maxBytesInFlight;
  private final ShadowSettings shadow;

  private QueryConfig(Keys keys, long heapMegabytes) {
    takeover = keys.takeBoolean("takeover", false);
    annotations = keys.takeBoolean("annotations_over_rollups", false);
    histograms = !keys.takeWord("sketches", "percentiles", "percentiles", "off").equals("off");
    packed = keys.takeWord("packed", "on", "on", "off").equals("on");
    coverageTable =
        keys.takeText(
            "coverage.table",
            CoverageRows.DEFAULT_TABLE,
            CoverageRows::isTableName,
            "must be the name of an HBase table");
    coverageMillis = 1000 * keys.takeLong("coverage.seconds", 1, 30, 10);
    passesAll = keys.takeWord("pass_through", "read", "read", "all").equals("all");
    maxBatches = keys.takeInt("max_batches", 1, 100_000, 64);
    clientHeader =
        keys.takeText(
            "client_header",
            "",
            name -> name.matches("[A-Za-z0-9_.-]+"),
            "must be the name of an HTTP header");
    long seconds = keys.takeLong("max_seconds_per_query", 0, DAY, 300);
    long cells = keys.takeLong("max_cells_per_query", 0, MAX_CELLS, 0);
    long megabytes =
        keys.takeLong("max_megabytes_per_query", 0, MAX_MEGABYTES, Math.max(1, heapMegabytes / 4));
    limits = new QueryLimits(cells, megabytes * MEGABYTE, seconds * 1000);
    maxCellsInFlight = keys.takeLong("max_cells_in_flight", 0, MAX_CELLS, 0);
    maxBytesInFlight =
        MEGABYTE
            * keys.takeLong(
                "max_megabytes_in_flight", 0, MAX_MEGABYTES, Math.max(1, heapMegabytes / 2));
    shadow =
        new ShadowSettings(
            keys.takeLong("shadow.one_in", 0, MAX_CELLS, 1000),
            1000 * keys.takeLong("shadow.recheck_seconds", 1, 3600, 30),
            1000 * keys.takeLong("shadow.raw_ttl_seconds", 0, Integer.MAX_VALUE, 0));
    keys.refuseRest();
  }

  /**
   * Reads the keys of the plugin.
   *
   * @param conf the whole opentsdb.conf
   * @param heapBytes the most heap that this JVM uses, for the defaults
   * @throws ConfigException with all problems
   */
  public static QueryConfig read(Map<String, String> conf, long heapBytes) {
    List<String> problems = new ArrayList<>();
    for (String key : conf.keySet()) {
      if (!key.startsWith(PREFIX) && ALMOST_PREFIX.matcher(key).lookingAt()) {
        problems.add(key + " is no key of " + NAME + ": they begin with " + PREFIX);
      }
    }
    QueryConfig config =
        new QueryConfig(new Keys(NAME, PREFIX, conf, problems), heapBytes / MEGABYTE);
    if (!problems.isEmpty()) {
      throw new ConfigException(NAME, problems);
    }
    return config;
  }

  /** All keys of the plugin, without {@link #PREFIX}, with their defaults as text; sorted. */
  static Map<String, String> keys(long heapBytes) {
    Keys keys = new Keys(NAME, PREFIX, Collections.emptyMap(), new ArrayList<>());
    new QueryConfig(keys, heapBytes / MEGABYTE);
    return keys.defaults();
  }

  /** Whether /api/query is answered by the plugin, too. */
  public boolean takeover() {
    return takeover;
  }

  /** Whether annotations of series are looked for in the raw rows that rollups stand for. */
  public boolean annotationsOverRollups() {
    return annotations;
  }

  /** Whether percentiles are answered from histograms of rollups. */
  public boolean readsHistograms() {
    return histograms;
  }

  /** Whether packed tables are read. */
  public boolean readsPacked() {
    return packed;
  }

  /** The table that says which rollups are proven to be stored, docs/coverage.md. */
  public String coverageTable() {
    return coverageTable;
  }

  /** How often it is read, milliseconds. */
  public long coverageMillis() {
    return coverageMillis;
  }

  /** Whether all requests below the prefix are passed on, also those that change something. */
  public boolean passesAll() {
    return passesAll;
  }

  /** Batches of rows, of all queries, from which on scans wait. */
  public int maxBatches() {
    return maxBatches;
  }

  /** The header that names the client of a query; empty: its address does. */
  public String clientHeader() {
    return clientHeader;
  }

  /** How rollups are checked. */
  public ShadowSettings shadow() {
    return shadow;
  }

  /** What one query may use. */
  public QueryLimits limits() {
    return limits;
  }

  /** Cells that all running queries may hold; 0 for no limit. */
  public long maxCellsInFlight() {
    return maxCellsInFlight;
  }

  /** Heap that all running queries may hold, bytes; 0 for no limit. */
  public long maxBytesInFlight() {
    return maxBytesInFlight;
  }
}
