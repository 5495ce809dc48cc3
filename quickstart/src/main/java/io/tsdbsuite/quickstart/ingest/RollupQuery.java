package io.tsdbsuite.quickstart.ingest;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** The plugin rollup-query of a TSD. */
public final class RollupQuery {
  /** Class of the plugin, for {@code tsd.http.rpc.plugins}. */
  public static final String CLASS = "io.tsdbsuite.query.RollupQueryHttpPlugin";

  /** Before the paths of OpenTSDB's API. */
  public static final String PREFIX = "plugin/rollup-query/";

  /** The coverage table, by its default name. */
  public static final String COVERAGE = "tsdb-coverage";

  private static final String STATISTICS = "tsd.rollup_query.";
  private static final Duration ENDED = Duration.ofMinutes(1);

  private final TsdClient tsd;
  private final TsdClient client;

  /**
   * @param tsd a TSD with the plugin
   */
  public RollupQuery(TsdServer tsd) {
    this.tsd = tsd.client();
    this.client = new TsdClient(URI.create("http://127.0.0.1:" + tsd.port() + "/" + PREFIX));
  }

  /** A client whose requests the plugin answers. */
  public TsdClient client() {
    return client;
  }

  /** Cells that all queries have read; waits for the end of those that run. */
  public long cells() {
    // An answer is sent before its query has ended.
    Await.until("queries to end", ENDED, () -> statistic("running") == 0);
    return statistic("cells");
  }

  private long statistic(String name) {
    Map<String, String> statistics = tsd.stats();
    String value = statistics.get(STATISTICS + name + " plugin=httprpc");
    if (value == null) {
      throw new IllegalStateException(
          "the TSD must have the statistic " + STATISTICS + name + ", has " + statistics.keySet());
    }
    return Long.parseLong(value);
  }
}
