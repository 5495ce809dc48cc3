package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.stream.flink.BooksReport;
import io.tsdbsuite.stream.flink.Count;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads a savepoint of each version of the state: {@code src/test/resources/state-N/_metadata}. */
class StateVersionIT {
  /** Midnight of 19 November 2025, UTC. */
  private static final long DAY = 1763510400;

  private static final long SAVED = DAY + 1500;

  /**
   * From this version on the state has the ids of the topics. The topic of a test has another one,
   * as if it was created again: its open buckets are left to repair.
   */
  private static final int TOPIC_IDS = 4;

  private static final String WRITE = "stream.write.state";

  /** The names of its topics are a part of the files. */
  private static JobRun job() throws Exception {
    return new JobRun("state", 1, "10m", "1h").parallelism(1);
  }

  /** Two series, one of integers and one of floats; a late point; a bucket that waits. */
  private static void send(Points points, long from, long to) {
    for (long time = from; time < to; time += 20) {
      points.add(0, time * 1000, "state", "a", time, Long.toString(time - DAY));
      points.add(0, time * 1000, "state", "b", time * 1000 + 5, (time - DAY) + ".25");
    }
    points.send(StreamStack.get().kafka().topics());
  }

  @ParameterizedTest
  @CsvSource({
    "1, hashmap",
    "1, rocksdb",
    "2, hashmap",
    "2, rocksdb",
    "3, hashmap",
    "3, rocksdb",
    "4, hashmap",
    "4, rocksdb"
  })
  void versionIsRead(int version, String backend) throws Exception {
    JobRun run = job().state(backend);
    try {
      read(version, run);
    } finally {
      run.deleteTopics();
    }
  }

  private static void read(int version, JobRun run) throws Exception {
    Points points = new Points(run.points(), 1);
    send(points, DAY, SAVED);
    URI file = StateVersionIT.class.getResource("/state-" + version + "/_metadata").toURI();
    run.start(Path.of(file).getParent().toUri().toString());
    send(points, SAVED, DAY + 3600);
    points.tick(DAY + 86400).tick(DAY + 86401).send(StreamStack.get().kafka().topics());
    Await.until(
        "the hour", StreamStack.PATIENCE, () -> new Output(run).completeTo("1h") > DAY + 3600);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    // With those of the savepoint, which are not read again.
    assertThat(books.get(Count.CONSUMED)).isEqualTo(2 * 180 + 2);
    SortedMap<RollupKey, RollupValues> hours = new Output(run).rollups("state").get("1h");
    if (version >= TOPIC_IDS) {
      assertThat(hours).isNull();
      assertThat(new Output(run).requests("state"))
          .extracting(request -> request.at("/tags/host").asText())
          .contains("a", "b");
      return;
    }
    assertThat(hours)
        .containsEntry(key("a"), new RollupValues(180 * 1790.0, 0, 3580, 180))
        .containsEntry(key("b"), new RollupValues(180 * 1790.25, 0.25, 3580.25, 180));
    assertThat(new Output(run).requests("state")).isEmpty();
  }

  private static RollupKey key(String host) {
    return new RollupKey("state", new TreeMap<>(Map.of("host", host)), DAY);
  }

  /** Writes {@code _metadata} below a directory, whose name becomes a part of the file. */
  @Test
  @EnabledIfSystemProperty(named = WRITE, matches = ".+")
  void writesTheFileOfThisVersion() throws Exception {
    JobRun run = job().checkpoints(Path.of(System.getProperty(WRITE)));
    send(new Points(run.points(), 1), DAY, SAVED);
    run.start(null);
    Await.until(
        "ten minutes", StreamStack.PATIENCE, () -> new Output(run).completeTo("10m") >= DAY + 600);
    assertThat(Path.of(URI.create(run.stop())).resolve("_metadata")).exists();
  }
}
