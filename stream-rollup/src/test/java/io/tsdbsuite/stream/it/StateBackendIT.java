package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.stream.flink.BooksReport;
import io.tsdbsuite.stream.flink.Count;
import io.tsdbsuite.testkit.Await;
import org.junit.jupiter.api.Test;

/** The state on the heap, then in RocksDB, then on the heap again, from savepoint to savepoint. */
class StateBackendIT {
  private static final String HEAP = "hashmap";
  private static final String ROCKSDB = "rocksdb";

  @Test
  void aSavepointIsReadByTheOtherBackend() throws Exception {
    // No partition counts as idle while the other one's points are late by it.
    JobRun run =
        new JobRun("backend", HourlyPoints.PARTITIONS, "10m", "1h", "1d")
            .idleMillis(3_600_000)
            .suite();
    HourlyPoints data =
        new HourlyPoints("backend", new Points(run.points(), HourlyPoints.PARTITIONS))
            .withSketches();
    data.send(0);
    run.state(HEAP).start(null);
    run.awaitAllRead();
    String heap = run.stop();
    data.send(1);
    run.state(ROCKSDB).start(heap);
    run.awaitAllRead();
    Await.until(
        "RocksDB to emit the first hour",
        StreamStack.PATIENCE,
        () -> new Output(run).completeTo("10m") >= HourlyPoints.DAY + 3600);
    String rocksdb = run.stop();
    data.send(2);
    run.state(HEAP).start(rocksdb);
    run.awaitAllRead();
    data.send(3);
    run.awaitAllRead();
    data.end();
    Await.until(
        "the end",
        StreamStack.PATIENCE,
        () -> new Output(run).completeTo("1h") >= HourlyPoints.DAY + 86400);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    assertThat(books.get(Count.CONSUMED)).isEqualTo(data.sent());
    data.check(run);
    data.checkSuite(run);
    assertThat(books.get(Count.MORE_DROPPED)).isZero();
    assertThat(books.get(Count.HISTOGRAMS_LEFT)).isZero();
    assertThat(books.get(Count.OTHER)).isZero();
  }
}
