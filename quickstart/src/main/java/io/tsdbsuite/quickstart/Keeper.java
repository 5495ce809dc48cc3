package io.tsdbsuite.quickstart;

import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Leaves the servers running, and says how to use them. */
final class Keeper {
  private final TsdServer tsd;
  private final Stack stack;
  private final Window window;
  private final Path report;

  Keeper(TsdServer tsd, Stack stack, Window window, Path report) {
    this.tsd = tsd;
    this.stack = stack;
    this.window = window;
    this.report = report;
  }

  /**
   * Says how to query, and waits for Enter; without a terminal, for a signal.
   *
   * @param in where Enter comes from
   * @param console for what is said
   * @throws IOException when {@code in} cannot be read
   * @throws InterruptedException when the thread is interrupted
   */
  void keep(InputStream in, Console console) throws IOException, InterruptedException {
    console.lines(text());
    int read = in.read();
    while (read != '\n' && read >= 0) {
      read = in.read();
    }
    if (read < 0) {
      // No terminal, so there will be no Enter: only a signal ends it.
      new CountDownLatch(1).await();
    }
  }

  /** What is said. */
  String text() {
    String base = "http://127.0.0.1:" + tsd.port();
    return String.join(
        System.lineSeparator(),
        "",
        "All is running. From rollups, from raw data, and over the split point:",
        "  " + curl(base, "rollup_nofallback:", window.compareTo()),
        "  " + curl(base, "rollup_raw:", window.compareTo()),
        "  " + curl(base, "rollup_nofallback:", window.liveFrom()),
        "The plugin:",
        "  curl " + base + "/plugin/kafka-ingest/status",
        "TSD    " + base + "/api/stats (2.4.1 from Maven Central brings no web page)",
        "Kafka  " + stack.kafka().bootstrapServers(),
        "HBase  " + stack.hbase().zkQuorum() + " (ZooKeeper)",
        "report " + report,
        "Enter or Ctrl-C stops all.");
  }

  private String curl(String base, String usage, long to) {
    return "curl -sg '"
        + base
        + "/api/query?start="
        + window.from()
        + "&end="
        + (to - 2)
        + "&m=avg:"
        + usage
        + "1h-avg:"
        + RequestRate.METRIC
        + "'";
  }
}
