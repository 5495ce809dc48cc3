package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.stream.flink.BooksReport;
import io.tsdbsuite.stream.flink.Count;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Partitions that stall, that are idle, and times of messages that are wrong; judged by a TSD. */
class PartitionsIT {
  /** Midnight of 19 November 2025, UTC. */
  private static final long DAY = 1763510400;

  private static final long END = DAY + 3 * 3600;

  /** A producer's wrong clock: 1 January 2036, UTC. */
  private static final long WRONG = 2082758400;

  private static final String[] INTERVALS = {"10m", "1h", "1d"};
  private static final int PARTITIONS = 4;
  private static final int SERIES = 10;
  private static final int READ_LATE = 2;
  private static final int SENT_LATE = 3;

  private final Random random = Seed.random();
  private final KafkaTopics kafka = StreamStack.get().kafka().topics();

  /**
   * Nothing of two partitions is read for half an hour of the others, and longer than the time
   * after which they count as idle. The messages of the one are old when they are read; those of
   * the other were sent late, and have the time at which they came.
   */
  @Test
  void twoPartitionsStall() throws Exception {
    JobRun run = new JobRun("stalled", PARTITIONS, INTERVALS);
    Points points = new Points(run.points(), PARTITIONS).tick(DAY);
    OraclePoints data = new OraclePoints(points, "stalled");
    // In the middle of a bucket of ten minutes and of an hour.
    long from = DAY + 3600 + 1500;
    long to = from + 1800;
    send(points, data, DAY, from);
    run.start(null);
    run.awaitAllRead();
    // In steps shorter than the slack: whichever of the others is read first, none is late.
    for (long step = from; step < to; step += 100) {
      for (long time = step; time < step + 100; time += 10) {
        for (int series = 0; series < SERIES; series++) {
          if (!isStalled(series)) {
            add(data, series, time, time);
          }
        }
      }
      points.send(kafka);
      run.awaitRead();
    }
    Await.until(
        "the others to go on",
        StreamStack.PATIENCE,
        () -> new Output(run).completeTo("10m") >= DAY + 3600 + 1800);
    for (long time = from; time < to; time += 10) {
      for (int series = 0; series < SERIES; series++) {
        if (isStalled(series)) {
          add(data, series, time, series % PARTITIONS == READ_LATE ? time : to);
        }
      }
    }
    send(points, data, to, END);
    run.awaitAllRead();
    points.tick(END + 86400).tick(END + 2 * 86400).send(kafka);
    awaitDay(run);
    run.stop();

    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    assertThat(books.get(Count.CONSUMED)).isEqualTo(data.count() + 3 * PARTITIONS);
    // The first 780 s: complete to 01:30 means that the watermark is at 01:40 at least.
    assertThat(books.get(Count.LATE)).isGreaterThanOrEqualTo(4 * 78);
    data.compare(run, DAY, INTERVALS);
    List<JsonNode> requests = new Output(run).requests("stalled");
    for (int series = 0; series < SERIES; series++) {
      String host = "h" + series;
      assertThat(requests.stream().anyMatch(request -> isOf(request, host, DAY + 3600)))
          .as(host)
          .isEqualTo(isStalled(series));
    }
  }

  private static boolean isStalled(int series) {
    return series % PARTITIONS == READ_LATE || series % PARTITIONS == SENT_LATE;
  }

  private static boolean isOf(JsonNode request, String host, long hour) {
    return request.get("tags").get("host").asText().equals(host)
        && request.get("timestamp").asLong() == hour
        && request.get("reason").asText().equals("late");
  }

  /**
   * Three of four partitions never have a message. The fourth goes on: if it stops in the same
   * moment in which the others count as idle, Flink keeps its last watermark to itself.
   */
  @Test
  void idlePartitionsHoldNothingBack() throws Exception {
    JobRun run = new JobRun("idle", PARTITIONS, INTERVALS).idleMillis(1000);
    Points points = new Points(run.points(), 1).tick(DAY);
    OraclePoints data = new OraclePoints(points, "idle");
    for (long time = DAY; time < END; time += 10) {
      data.add(0, time * 1000, "h0", time, value(1));
    }
    points.tick(END + 86400).tick(END + 2 * 86400).send(kafka);
    run.start(null);
    AtomicLong next = new AtomicLong(END + 2 * 86400);
    Await.until(
        "day to be complete",
        StreamStack.PATIENCE,
        () -> {
          points.tick(next.incrementAndGet()).send(kafka);
          return isDayComplete(run);
        });
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    data.compare(run, DAY, INTERVALS);
    assertThat(new Output(run).requests("idle")).isEmpty();
  }

  /** Clocks of producers, of sensors, and of both say 2036. */
  @Test
  void clocksThatAreAheadByYears() throws Exception {
    SettableClock clock = new SettableClock();
    clock.set(DAY);
    JobRun run = new JobRun("ahead", PARTITIONS, INTERVALS).clock(clock).idleMillis(60_000);
    Points points = new Points(run.points(), PARTITIONS).tick(DAY);
    OraclePoints data = new OraclePoints(points, "ahead");
    run.start(null);
    int ahead = 0;
    for (long round = DAY; round < END; round += 3600) {
      for (long time = round; time < round + 3600; time += 30) {
        for (int series = 0; series < SERIES; series++) {
          add(data, series, time, time);
        }
      }
      // At the end of a round, which is the present.
      long now = round + 3570;
      for (int partition = 0; partition < PARTITIONS; partition++) {
        data.add(partition, WRONG * 1000, "producer" + partition, now, value(partition));
        data.add(
            partition, now * 1000, "sensor" + partition, WRONG + round - DAY, value(partition));
        data.add(
            partition, WRONG * 1000, "both" + partition, WRONG + round - DAY, value(partition));
        ahead += 2;
      }
      clock.set(now);
      points.send(kafka);
      run.awaitAllRead();
      assertThat(new Output(run).completeTo("10m")).isLessThanOrEqualTo(now);
    }
    clock.set(END + 3 * 86400);
    points.tick(END + 86400).tick(END + 2 * 86400).send(kafka);
    awaitDay(run);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    assertThat(books.get(Count.CONSUMED)).isEqualTo(data.count() + 3 * PARTITIONS);
    assertThat(books.get(Count.AHEAD)).isEqualTo(ahead);
    data.compare(run, DAY, INTERVALS);
    // Told at once, since the state may be lost; a repair leaves them alone until their time.
    assertThat(new Output(run).requests("ahead"))
        .isNotEmpty()
        .allMatch(request -> request.get("timestamp").asLong() >= WRONG)
        .allMatch(request -> request.get("reason").asText().equals("ahead"));
    new Output(run)
        .rollups("ahead")
        .values()
        .forEach(
            rollups ->
                assertThat(rollups.keySet()).isNotEmpty().allMatch(key -> key.timestamp() < WRONG));
  }

  /** The messages of one partition have times in seconds, which Kafka takes for 1970. */
  @Test
  void aPartitionWithWrongTimesStopsNothing() throws Exception {
    SettableClock clock = new SettableClock();
    clock.set(END + 3 * 86400);
    // It never counts as idle.
    JobRun run = new JobRun("wrong-times", PARTITIONS, INTERVALS).clock(clock).idleMillis(3600_000);
    Points points = new Points(run.points(), PARTITIONS);
    OraclePoints data = new OraclePoints(points, "wrong-times");
    int wrong = 0;
    for (long time = DAY; time < END; time += 10) {
      for (int series = 0; series < SERIES; series++) {
        if (series % PARTITIONS == 0) {
          data.add(0, time, "h" + series, time, value(series));
          wrong++;
        } else {
          add(data, series, time, time);
        }
      }
    }
    for (int partition = 1; partition < PARTITIONS; partition++) {
      for (int day = 1; day < 3; day++) {
        long tick = END + day * 86400L;
        points.add(partition, tick * 1000, "tick", "p" + partition, tick, "1");
      }
    }
    points.send(kafka);
    run.start(null);
    run.awaitAllRead();
    // It may have good times as long as it does not count as idle.
    long now = END + 3 * 86400 + 3601;
    clock.set(now);
    points.add(0, now, "tick", "p0", now, "1").send(kafka);
    awaitDay(run);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    assertThat(books.get(Count.WRONG_TIMES)).isEqualTo(wrong + 1);
    assertThat(books.get(Count.LATE)).isZero();
    data.compare(run, DAY, INTERVALS);
  }

  /** A topic whose broker sets the times: those of the producers, of 2036 and of 1970, are none. */
  @Test
  void aTopicWhoseBrokerSetsTheTimes() throws Exception {
    JobRun run =
        new JobRun("appended", 1, Map.of("message.timestamp.type", "LogAppendTime"), INTERVALS);
    Points points = new Points(run.points(), 1);
    long now = System.currentTimeMillis() / 1000;
    points
        .add(0, WRONG * 1000, "appended", "now", now, "1")
        .add(0, 0, "appended", "now", now + 1, "1")
        .add(0, DAY * 1000, "appended", "ahead", WRONG, "1")
        .send(kafka);
    run.start(null);
    Await.until("a watermark", StreamStack.PATIENCE, () -> new Output(run).completeTo("10m") > 0);
    points
        .add(0, WRONG * 1000, "appended", "now", now + 2, "1")
        .add(0, WRONG * 1000, "appended", "old", now - 3600, "1")
        .send(kafka);
    run.awaitAllRead();
    assertThat(new Output(run).completeTo("10m")).isBetween(now - 3600, now);
    run.stop();
    BooksReport books = run.books();
    assertThat(books.close()).as(books::table).isTrue();
    assertThat(books.get(Count.HELD) + books.get(Count.AGGREGATED)).isEqualTo(3);
    assertThat(books.get(Count.AHEAD)).isEqualTo(1);
    assertThat(books.get(Count.LATE)).isEqualTo(1);
  }

  private void send(Points points, OraclePoints data, long from, long to) {
    for (long time = from; time < to; time += 10) {
      for (int series = 0; series < SERIES; series++) {
        add(data, series, time, time);
      }
    }
    points.send(kafka);
  }

  private void add(OraclePoints data, int series, long time, long recordTime) {
    data.add(series % PARTITIONS, recordTime * 1000, "h" + series, time, value(series));
  }

  private Number value(int series) {
    return series % 2 == 0 ? 1000L + random.nextInt(20_000) : random.nextGaussian() * 1e9;
  }

  private static void awaitDay(JobRun run) {
    Await.until("day to be complete", StreamStack.PATIENCE, () -> isDayComplete(run));
  }

  private static boolean isDayComplete(JobRun run) {
    return new Output(run).completeTo("1d") >= DAY + 2 * 86400;
  }
}
