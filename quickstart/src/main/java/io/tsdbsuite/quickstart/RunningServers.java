package io.tsdbsuite.quickstart;

import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.QueryClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Keeps the servers running, and prints their use. */
record RunningServers(Environment run, Path report) {
  private static final int DAY = 86400;
  private static final int RAW_DAYS = 7;

  /**
   * Prints a query, and waits for Enter; without a terminal, for a signal.
   *
   * @param in standard input
   * @throws InterruptedException when the thread is interrupted
   */
  void keep(InputStream in) throws IOException, InterruptedException {
    run.console().lines(text());
    int read = in.read();
    while (read != '\n' && read >= 0) {
      read = in.read();
    }
    if (read < 0) {
      // No terminal and therefore no Enter: only a signal ends it.
      new CountDownLatch(1).await();
    }
  }

  /** The text with the queries. */
  String text() {
    Timeline window = run.window();
    String base = "http://127.0.0.1:" + run.tsd().port();
    // The TSD cannot hold the raw points of a year.
    long recent = Math.max(window.from(), window.streamFrom() - (long) RAW_DAYS * DAY);
    return """

    All servers are running, a new point of each series comes every ten seconds, and
    stream-rollup goes on. Queries of all days, of the last days, and of a week of raw data;
    the header X-Rollup-Query names the rollups and raw data that were read:
      curl -sgi '%1$s/%2$sapi/query?start=%3$s&end=%5$s&m=avg:1d-avg:%6$s'
      curl -sgi '%1$s/%2$sapi/query?start=%3$s&end=%5$s&m=avg:0all-avg:%6$s'
      curl -sgi '%1$s/%2$sapi/query?start=%4$s&m=avg:1h-avg:%6$s'
      curl -sgi '%1$s/%2$sapi/query?start=%4$s&end=%5$s&m=avg:rollup_raw:1d-avg:%6$s'
    For Grafana: %1$s/plugin/rollup-query
    The plugins:
      curl %1$s/plugin/kafka-ingest/status
      curl %1$s/%2$smetrics
    TSD    %1$s/api/stats (2.4.1 from Maven Central brings no web page)
    Kafka  %7$s
    HBase  %8$s (ZooKeeper)
    report %9$s
    Enter or Ctrl-C stops all servers.\
    """
        .formatted(
            base,
            QueryClient.PREFIX,
            window.from(),
            recent,
            window.streamFrom() - 2,
            RequestRate.METRIC,
            run.stack().kafka().bootstrapServers(),
            run.stack().hbase().zkQuorum(),
            report);
  }
}
