package io.tsdbsuite.bench.query;

import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.bench.measure.Median;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A way's figures of a query. */
final class Figures {
  private static final double WARM_MILLIS = 1000;
  private static final double BATCH_MILLIS = 100;

  private final Way way;
  private final String query;
  private final long hbase;
  private final List<Double> millis = new ArrayList<>();
  private double tsdCpu;
  private double hbaseCpu;
  private long bytes;
  private int batch = 1;
  private Way.Reply reply;
  private String difference = "";

  /**
   * Asks for the first time.
   *
   * @param hbase process of HBase
   */
  Figures(Way way, String query, long hbase) throws IOException, InterruptedException {
    this.way = way;
    this.query = query;
    this.hbase = hbase;
    reply = way.ask(query);
  }

  /** Compares the answer with the right one. */
  void compare(Answer right) throws IOException {
    difference =
        reply.code() == 200
            ? Answer.parse(reply.body()).differenceFrom(right)
            : "status " + reply.code();
  }

  /** Asks for a second, at least twice. */
  void warm() throws IOException, InterruptedException {
    double spent = 0;
    int asked = 0;
    while (asked < 2 || spent < WARM_MILLIS) {
      reply = way.ask(query);
      spent += reply.millis();
      asked++;
    }
    batch = (int) Math.max(1, BATCH_MILLIS / reply.millis());
  }

  /** Asks for a tenth of a second, at least once: the clock of CPU has steps of 10 ms. */
  void measure() throws IOException, InterruptedException {
    CpuClock tsdClock = CpuClock.of(way.tsd().pid());
    CpuClock hbaseClock = CpuClock.of(hbase);
    long before = way.bytesRead();
    for (int i = 0; i < batch; i++) {
      reply = way.ask(query);
      millis.add(reply.millis());
    }
    tsdCpu += tsdClock.seconds();
    hbaseCpu += hbaseClock.seconds();
    bytes += way.bytesRead() - before;
  }

  Way way() {
    return way;
  }

  Way.Reply reply() {
    return reply;
  }

  /** The figures of a query, from all that were measured. */
  Result result(long cells) {
    int asked = millis.size();
    return new Result(
        way.name(),
        asked,
        Median.of(millis),
        tsdCpu * 1e3 / asked,
        hbaseCpu * 1e3 / asked,
        bytes / 1e3 / asked,
        Math.round((double) cells / asked),
        reply.read(),
        difference);
  }
}
