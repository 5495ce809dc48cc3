package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.stream.flink.BooksReport;
import io.tsdbsuite.stream.flink.Count;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rollups of a real job against the answers of a real TSD to the same points. */
class RollupsIT {
  /** Midnight of 19 November 2025, UTC. */
  private static final long DAY = 1763510400;

  private static final long END = DAY + 6 * 3600;
  private static final String[] INTERVALS = {"10m", "1h", "6h", "1d"};
  private static final int PARTITIONS = 3;

  private final Random random = Seed.random();

  /** Shuffled within the slack, rewritten, of seconds and milliseconds, integers and floats. */
  @Test
  void everyBucketIsExactOrRequested() throws Exception {
    JobRun run = new JobRun("exact", PARTITIONS, INTERVALS);
    Points points = points(run);
    OraclePoints data = sixHours(points, "exact");
    points.send(StreamStack.get().kafka().topics());
    run.start(null);
    Await.until(
        "rollups of five hours",
        StreamStack.PATIENCE,
        () -> new Output(run).completeTo("10m") >= END - 3600);
    // Of an hour that is over: two points of one series, which are one request.
    data.add(0, (END + 10) * 1000, "h0", DAY + 100, value(0));
    data.add(0, (END + 11) * 1000, "h0", DAY + 101, value(0));
    points.tick(END + 86400).tick(END + 2 * 86400).send(StreamStack.get().kafka().topics());
    awaitDay(run);
    assertThat(run.stop()).isNotEmpty();

    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    assertThat(books.get(Count.CONSUMED)).isEqualTo(data.count() + 3 + 3 * PARTITIONS);
    assertThat(books.get(Count.NOT_FINITE)).isEqualTo(2);
    assertThat(books.get(Count.BAD)).isEqualTo(1);
    assertThat(books.get(Count.LATE)).isGreaterThanOrEqualTo(2);
    data.compare(run, DAY, INTERVALS);
    assertThat(
            new Output(run)
                .requests("exact").stream().map(request -> request.get("timestamp").asLong()))
        .contains(DAY);
  }

  /** Two savepoints, with one task, two, and one. */
  @Test
  void aRescaledJobGoesOn() throws Exception {
    JobRun run = new JobRun("rescaled", PARTITIONS, INTERVALS);
    Points first = points(run);
    OraclePoints data = sixHours(first, "rescaled");
    run.parallelism(1).start(null);
    first.send(StreamStack.get().kafka().topics());
    Await.until(
        "points", StreamStack.PATIENCE, () -> !new Output(run).rollups("rescaled").isEmpty());
    run.parallelism(2).start(run.stop());
    run.parallelism(1).start(run.stop());
    first.tick(END + 86400).tick(END + 2 * 86400).send(StreamStack.get().kafka().topics());
    awaitDay(run);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    data.compare(run, DAY, INTERVALS);
  }

  /** All series have one key of the state. */
  @Test
  void seriesOfOneHashAreNeverMerged() throws Exception {
    JobRun run = new JobRun("collision", PARTITIONS, INTERVALS).hash(names -> 7).suite();
    Points points = points(run);
    OraclePoints data = sixHours(points, "collision");
    points.tick(END + 86400).tick(END + 2 * 86400).send(StreamStack.get().kafka().topics());
    run.start(null);
    awaitDay(run);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).isTrue();
    // The first series of the hash, a tick, alone has room for what suite selects.
    List<JsonNode> messages = new Output(run).messages("collision");
    assertThat(messages).allMatch(each -> each.get("v").asInt() == 1);
    assertThat(books.get(Count.MORE_DROPPED))
        .isPositive()
        .isEqualTo(
            messages.stream()
                .filter(each -> List.of("1h", "1d").contains(each.get("interval").asText()))
                .count());
    data.compare(run, DAY, INTERVALS);
  }

  /** A job that starts at 01:25: its first buckets are requested, and none is written in part. */
  @Test
  void noBucketIsWrittenInPart() throws Exception {
    long started = DAY + 3600 + 1500;
    JobRun run = new JobRun("started", PARTITIONS, INTERVALS).startedAt(started);
    Points points = new Points(run.points(), PARTITIONS);
    sixHours(points, "started");
    points.dropBefore(started).tick(started);
    points.tick(END + 86400).tick(END + 2 * 86400).send(StreamStack.get().kafka().topics());
    run.start(null);
    awaitDay(run);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).isTrue();
    // 01:20, 01:00, the six hours and the day, of six series.
    assertThat(books.get(Count.INCOMPLETE)).isGreaterThanOrEqualTo(12);
    SortedMap<RollupKey, RollupValues> tenMinutes =
        new Output(run).rollups("started").getOrDefault("10m", new TreeMap<>());
    assertThat(tenMinutes.keySet())
        .isNotEmpty()
        .allMatch(key -> key.timestamp() >= started - started % 600 + 600);
    assertThat(new Output(run).rollups("started").get("1h").keySet())
        .isNotEmpty()
        .allMatch(key -> key.timestamp() >= DAY + 7200);
    assertThat(new Output(run).rollups("started")).doesNotContainKeys("6h", "1d");
    // A job before may have been about to write 00:00 and 01:10.
    List<JsonNode> requests = new Output(run).requests("started");
    for (int series = 0; series < 6; series++) {
      String host = "h" + series;
      assertThat(requests)
          .anyMatch(request -> isOf(request, host, DAY, "1h"))
          .anyMatch(request -> isOf(request, host, DAY + 3600, "10m"))
          .noneMatch(request -> isOf(request, host, DAY, "10m"));
    }
  }

  /**
   * As above, while the job runs: Kafka's client asks now and then for the topic that is gone, and
   * goes on at offset 60. If it asks before there are messages, it begins at offset 0.
   */
  @Test
  void bucketsOfATopicThatIsCreatedAgainWhileItIsReadAreRequested() throws Exception {
    SettableClock clock = new SettableClock();
    clock.set(DAY + 3 * 3600);
    JobRun run = new JobRun("while", 1, "10m").clock(clock);
    KafkaTopics topics = StreamStack.get().kafka().topics();
    Points points = new Points(run.points(), 1);
    for (long i = 0; i < 60; i++) {
      points.add(0, (DAY + i * 60) * 1000, "while", "a", DAY + i * 60, "1");
    }
    points.send(topics);
    run.start(null);
    run.awaitAllRead();
    run.createPointsAgain();
    for (long i = 60; i < 180; i++) {
      points.add(0, (DAY + i * 60) * 1000, "while", "a", DAY + i * 60, "1");
    }
    points.send(topics);
    Await.until(
        "the hour that was not read to be requested",
        StreamStack.PATIENCE,
        () -> {
          clock.set(DAY + 86400);
          points.tick(DAY + 86400).send(topics);
          return new Output(run)
              .requests("while").stream().anyMatch(request -> isOf(request, "a", DAY + 3600));
        });
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
  }

  private static boolean isOf(JsonNode request, String host, long hour, String interval) {
    return request.get("reason").asText().equals("started")
        && request.get("tags").get("host").asText().equals(host)
        && request.get("timestamp").asLong() == hour
        && request.get("intervals").toString().contains('"' + interval + '"');
  }

  /** Kafka deletes messages while the job is stopped. */
  @Test
  void bucketsOfDeletedMessagesAreRequested() throws Exception {
    JobRun run = new JobRun("deleted", 1, "10m");
    Points points = new Points(run.points(), 1);
    for (long i = 0; i < 60; i++) {
      points.add(0, (DAY + i * 60) * 1000, "deleted", "a", DAY + i * 60, "1");
    }
    points.send(StreamStack.get().kafka().topics());
    run.start(null);
    Await.until(
        "points", StreamStack.PATIENCE, () -> !new Output(run).rollups("deleted").isEmpty());
    String savepoint = run.stop();
    long read = run.books().get(Count.CONSUMED);
    for (long i = 60; i < 180; i++) {
      points.add(0, (DAY + i * 60) * 1000, "deleted", "a", DAY + i * 60, "1");
    }
    points.tick(DAY + 86400).send(StreamStack.get().kafka().topics());
    run.deleteBefore(100);
    run.start(savepoint);
    Await.until(
        "day", StreamStack.PATIENCE, () -> new Output(run).completeTo("10m") > DAY + 4 * 3600);
    run.stop();
    BooksReport books = run.books();
    assertThat(read).isEqualTo(60);
    assertThat(books.get(Count.MISSED)).isEqualTo(40);
    // From 00:50, which was open, to that of the first message that was kept.
    assertThat(books.get(Count.INCOMPLETE)).isEqualTo(2);
    assertThat(books.close()).isTrue();
    // Deleted: 01:00 to 01:39. Slack on both sides: 00:50 to 01:40.
    SortedMap<RollupKey, RollupValues> found =
        new Output(run).rollups("deleted").getOrDefault("10m", new TreeMap<>());
    assertThat(found.keySet())
        .allMatch(key -> key.timestamp() < DAY + 3600 || key.timestamp() >= DAY + 3600 + 2400)
        .allSatisfy(key -> assertThat(found.get(key)).isEqualTo(new RollupValues(10, 1, 1, 10)));
    assertThat(new Output(run).requests("deleted"))
        .anyMatch(request -> request.get("timestamp").asLong() == DAY + 3600);
  }

  /**
   * A histogram waits; the next job selects none, and a gap ends its series before a timer does.
   */
  @Test
  void aSeriesThatAGapEndsTakesItsFurtherStateAlong() throws Exception {
    JobRun run = new JobRun("left", 1, "1h").parallelism(1).suite();
    KafkaTopics topics = StreamStack.get().kafka().topics();
    Points points = new Points(run.points(), 1);
    Sketch sketch = new Sketch();
    sketch.addAll(new double[] {1}, 0, 1);
    points.sketch(0, DAY, "left", "a", sketch.bytes()).tick(DAY + 10).send(topics);
    run.start(null);
    Await.until(
        "a watermark", StreamStack.PATIENCE, () -> new Output(run).completeTo("1h") == DAY - 3600);
    // The state has the watermark of its last message.
    points.tick(DAY + 20).send(topics);
    run.awaitAllRead();
    String savepoint = run.stop();
    assertThat(run.books().get(Count.HELD)).isEqualTo(3);
    for (long i = 0; i < 10; i++) {
      points.tick(DAY + 30 + i);
    }
    points.send(topics);
    run.deleteBefore(3 + 9);
    run.withoutSuite().start(savepoint);
    run.awaitRead(3 + 1);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    assertThat(books.get(Count.MISSED)).isEqualTo(9);
    // The ticks alone.
    assertThat(books.get(Count.SERIES)).isEqualTo(1);
    assertThat(books.get(Count.HELD)).isEqualTo(3);
  }

  /** Kafka deletes all unread messages of a partition that gets none later. */
  @Test
  void bucketsOfAnEmptiedPartitionAreRequested() throws Exception {
    SettableClock clock = new SettableClock();
    clock.set(DAY + 7200);
    JobRun run = new JobRun("emptied", 2, "10m").clock(clock);
    Points points = new Points(run.points(), 2);
    for (long i = 0; i < 60; i++) {
      points.add(0, (DAY + i * 60) * 1000, "emptied", "a", DAY + i * 60, "1");
      points.add(1, (DAY + i * 60) * 1000, "emptied", "b", DAY + i * 60, "1");
    }
    points.send(StreamStack.get().kafka().topics());
    run.start(null);
    run.awaitAllRead();
    String savepoint = run.stop();
    run.idleMillis(1000);
    for (long i = 60; i < 90; i++) {
      points.add(0, (DAY + i * 60) * 1000, "emptied", "a", DAY + i * 60, "1");
      points.add(1, (DAY + i * 60) * 1000, "emptied", "b", DAY + i * 60, "1");
    }
    points.send(StreamStack.get().kafka().topics());
    run.deleteBefore(90);
    run.start(savepoint);
    // All but the 30 that were deleted: nothing was read of their partition, so nothing was told.
    run.awaitRead(60 + 90);
    savepoint = run.stop();
    run.start(savepoint);
    clock.set(DAY + 86400);
    points.add(1, (DAY + 86400) * 1000, "tick", "t", DAY + 86400, "1");
    points.send(StreamStack.get().kafka().topics());
    Await.until(
        "day", StreamStack.PATIENCE, () -> new Output(run).completeTo("10m") > DAY + 4 * 3600);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    assertThat(books.get(Count.MISSED)).isEqualTo(30);
    // The last message that was read is of 00:59, less the slack.
    SortedMap<RollupKey, RollupValues> found =
        new Output(run).rollups("emptied").getOrDefault("10m", new TreeMap<>());
    assertThat(found).hasSize(2 * 5);
    assertThat(found.keySet()).allMatch(key -> key.timestamp() < DAY + 3000);
    assertThat(found.values()).containsOnly(new RollupValues(10, 1, 1, 10));
    assertThat(new Output(run).requests("emptied"))
        .anyMatch(request -> isOf(request, "a", DAY))
        .anyMatch(request -> isOf(request, "a", DAY + 3600));
  }

  /** The topic is created again, and has more messages than were read of the former one. */
  @Test
  void bucketsOfATopicThatWasCreatedAgainAreRequested() throws Exception {
    SettableClock clock = new SettableClock();
    clock.set(DAY + 3 * 3600);
    JobRun run = new JobRun("again", 1, "10m").clock(clock);
    Points points = new Points(run.points(), 1);
    for (long i = 0; i < 60; i++) {
      points.add(0, (DAY + i * 60) * 1000, "again", "a", DAY + i * 60, "1");
    }
    points.send(StreamStack.get().kafka().topics());
    run.start(null);
    run.awaitAllRead();
    String savepoint = run.stop();
    run.createPointsAgain();
    for (long i = 60; i < 180; i++) {
      points.add(0, (DAY + i * 60) * 1000, "again", "a", DAY + i * 60, "1");
    }
    points.send(StreamStack.get().kafka().topics());
    run.start(savepoint);
    // Flink goes on at offset 60: the points of 01:00 to 01:59 are never read.
    run.awaitRead(60 + 60);
    clock.set(DAY + 86400);
    points.tick(DAY + 86400).send(StreamStack.get().kafka().topics());
    Await.until(
        "day", StreamStack.PATIENCE, () -> new Output(run).completeTo("10m") > DAY + 4 * 3600);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    // The last message that was read of the former topic is of 00:59, less the slack.
    assertThat(new Output(run).rollups("again").get("10m").keySet())
        .hasSize(5)
        .allMatch(key -> key.timestamp() < DAY + 3000);
    assertThat(new Output(run).requests("again"))
        .anyMatch(request -> isOf(request, "a", DAY))
        .anyMatch(request -> isOf(request, "a", DAY + 3600))
        .anyMatch(request -> isOf(request, "a", DAY + 7200));
  }

  private static boolean isOf(JsonNode request, String host, long hour) {
    return request.get("tags").get("host").asText().equals(host)
        && request.get("timestamp").asLong() == hour
        && request.get("reason").asText().equals("started");
  }

  private static void awaitDay(JobRun run) {
    Await.until(
        "day to be complete",
        StreamStack.PATIENCE,
        () -> new Output(run).completeTo("1d") >= DAY + 2 * 86400);
  }

  private static Points points(JobRun run) {
    return new Points(run.points(), PARTITIONS).tick(DAY);
  }

  /** A point to be; times in seconds since the epoch. */
  private record Row(int series, long sent, long time) {}

  /** Returns the points; with them go three other elements. */
  private OraclePoints sixHours(Points points, String metric) {
    OraclePoints data = new OraclePoints(points, metric);
    List<Row> rows = new ArrayList<>();
    for (int series = 0; series < 6; series++) {
      for (long time = DAY + random.nextInt(20); time < END; time += 1 + random.nextInt(60)) {
        // Up to a minute and a half behind its message.
        rows.add(new Row(series, time + random.nextInt(90), time));
      }
    }
    // The series of a partition in turn: the end of one before the start of the next would make
    // that one late, or not, by the moment of a watermark.
    rows.sort(Comparator.comparingLong(Row::sent));
    for (Row row : rows) {
      // Each series has one kind of numbers: another width would be another column.
      int series = row.series();
      int partition = series % PARTITIONS;
      String host = "h" + series;
      long timestamp = series % 2 == 1 ? row.time() * 1000 + 123 : row.time();
      data.add(partition, row.sent() * 1000, host, timestamp, value(series));
      if (random.nextInt(40) == 0) {
        data.add(partition, row.sent() * 1000, host, timestamp, value(series));
      }
    }
    points.add(0, END * 1000, metric, "h0", END, "\"NaN\"");
    points.add(0, END * 1000, metric, "h0", END, "\"Infinity\"");
    points.add(0, END * 1000, metric, "h0", END, "true");
    return data;
  }

  private Number value(int series) {
    return switch (series % 3) {
      case 0 -> 1000L + random.nextInt(20_000);
      case 1 -> random.nextInt(1000) + 0.1 + random.nextDouble();
      default -> random.nextGaussian() * 1e9;
    };
  }
}
