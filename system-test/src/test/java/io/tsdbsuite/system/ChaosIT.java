package io.tsdbsuite.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.S3Throttle;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The whole flow under a storm of faults, {@code make chaos}: points through Kafka and by HTTP into
 * a TSD, the stream job and its repairs, the nightly run over an export on S3. At the end the TSD
 * has each point with its last value, and each rollup is that of its points.
 */
class ChaosIT {
  /** Midnight of 18 November 2025, UTC. */
  static final long START = 1763424000;

  private static final long DAY = 86_400;
  private static final Duration RUN =
      Duration.ofSeconds(
          Math.round(60 * Double.parseDouble(System.getProperty("chaos.minutes", "2"))));

  /** Time between two rounds, each half an hour of points. */
  private static final Duration PACE = Duration.ofSeconds(2);

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final long began = System.nanoTime();
  private final SystemStack stack = SystemStack.get();
  private final ChaosPoints points = new ChaosPoints(Seed.random(), START);
  private final Deque<List<DataPoint>> unsent = new ArrayDeque<>();
  private int refusedPuts;

  private synchronized void log(String message) {
    System.out.printf("%6.1f s  %s%n", (System.nanoTime() - began) / 1e9, message);
  }

  @Test
  void everyPointAndEveryRollupIsAccountedFor() throws Exception {
    log("the storm has " + Seed.describe() + ", " + RUN.toSeconds() + " s");
    long end = START;
    long nextNight = START + DAY;
    ChaosNights nights;
    JsonNode books;
    int streamStarts;
    Map<String, Integer> faults;
    try (S3Server s3 = S3Server.start(SystemStack.directory("s3"));
        S3Throttle throttle = S3Throttle.start(s3, Seed.VALUE);
        ChaosStream stream = new ChaosStream(this::log)) {
      s3.createBucket("chaos");
      nights = new ChaosNights(throttle, this::log);
      CompletableFuture<Void> night = CompletableFuture.completedFuture(null);
      Storm storm = new Storm(Seed.VALUE, throttle, stream, this::log);
      try {
        while (System.nanoTime() - began < RUN.toNanos()) {
          long round = System.nanoTime();
          points.draw(end);
          end += ChaosPoints.ROUND;
          send(points.messages());
          put();
          stream.supervise();
          if (night.isDone() && end > nextNight + 3600) {
            night.get();
            long day = nextNight - DAY;
            night = CompletableFuture.runAsync(() -> nights.run(day));
            nextNight += DAY;
          }
          long left = PACE.toNanos() - (System.nanoTime() - round);
          TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
        }
      } finally {
        storm.end();
      }
      faults = storm.counts();
      log("the storm is over: " + faults);
      night.get();
      while (!unsent.isEmpty()) {
        put();
      }
      long lastDay = (end + DAY - 1) / DAY * DAY;
      points.messages().tick(lastDay + 60);
      send(points.messages());
      stream.supervise();
      stream.awaitComplete("1d", lastDay, PATIENCE);
      drained(SystemStack.POINTS, SystemStack.ROLLUPS, SystemStack.REQUESTS);
      for (; nextNight <= lastDay; nextNight += DAY) {
        nights.run(nextNight - DAY);
      }
      // The last night finds what came late since.
      drained(SystemStack.ROLLUPS);
      books = stream.stop();
      streamStarts = stream.starts();
      end = lastDay;
    }
    requireAllPoints(end);
    long equal = nights.batch().requireEqual(SystemStack.INTERVALS, START, end);
    assertThat(books.get("booksClose").asBoolean()).as(books.toString()).isTrue();
    for (String group : List.of(SystemStack.POINTS, SystemStack.ROLLUPS, SystemStack.REQUESTS)) {
      assertThat(stack.status(group).at("/messages/deadLettered").asLong()).as(group).isZero();
    }
    assertThat(stack.read(SystemStack.DEAD_LETTERS)).isEmpty();
    log("faults: " + faults);
    log("the stream job was started " + streamStarts + " times; its books: " + books);
    log(nights.nights() + " nights, " + nights.repeatedSteps() + " steps repeated");
    log(refusedPuts + " puts by HTTP repeated");
    log(
        points.points(ChaosPoints.BY_KAFKA)
            + " points through Kafka, "
            + points.points(ChaosPoints.BY_HTTP)
            + " by HTTP: all stored; "
            + equal
            + " rollups equal, 0 differences; "
            + Seed.describe());
  }

  /** The producer of a collector: tries again until the broker has all. */
  private void send(InputPoints messages) {
    Await.until(
        "the broker to take the messages",
        PATIENCE,
        () -> {
          try {
            messages.send();
            return true;
          } catch (RuntimeException e) {
            log("messages are sent again: " + firstLine(e));
            return false;
          }
        });
  }

  /** The points of HTTP, once; those that the TSD did not acknowledge wait for the next round. */
  private void put() {
    List<DataPoint> drawn = points.takeByHttp();
    if (!drawn.isEmpty()) {
      unsent.add(drawn);
    }
    while (!unsent.isEmpty()) {
      try {
        stack.tsd().client().put(unsent.peek());
        unsent.remove();
      } catch (TsdException | UncheckedIOException e) {
        refusedPuts++;
        log("points by HTTP wait: " + firstLine(e));
        return;
      }
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** Waits until the TSD has stored all that Kafka has. */
  private void drained(String... groups) {
    for (String group : groups) {
      Await.until(
          "group " + group + " to have read all",
          PATIENCE,
          () -> stack.topics().lag(group, group) == 0);
    }
  }

  private void requireAllPoints(long end) throws IOException {
    stack.tsd().client().dropCaches();
    TsdOracle raw = new TsdOracle(stack.tsd().client());
    for (String metric : List.of(ChaosPoints.BY_KAFKA, ChaosPoints.BY_HTTP)) {
      assertThat(RollupDiff.of(points.rollups(metric, 3600), raw.rollups(metric, START, end, "1h")))
          .as(metric)
          .isEmpty();
    }
  }
}
