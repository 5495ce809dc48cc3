package io.tsdbsuite.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.S3Throttle;
import io.tsdbsuite.testkit.ServerException;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The whole flow under a storm of faults, {@code make chaos}: points through Kafka and by HTTP into
 * a TSD, the stream job and its repairs, the nightly run over an export on S3, loads of HFiles,
 * while clients query through rollup-query. No answer is wrong at any time. At the end the TSD has
 * each point with its last value, and each rollup is that of its points.
 */
@Tag("slow")
class ChaosIT {
  /** Midnight of 18 November 2025, UTC. */
  static final long START = 1763424000;

  private static final long DAY = 86_400;
  private static final Duration RUN =
      Duration.ofSeconds(
          Math.round(60 * Double.parseDouble(System.getProperty("chaos.minutes", "2"))));

  private static final int CLIENTS = Integer.getInteger("chaos.clients", 4);

  /** Time between two rounds, each half an hour of points. */
  private static final Duration PACE = Duration.ofSeconds(2);

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final long began = System.nanoTime();
  private final SystemStack stack = SystemStack.get();
  private final ChaosPoints points = new ChaosPoints(Seed.random(), START);
  private final ChaosHistory history = new ChaosHistory(Seed.random());
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
    stack.tsd().client().put(history.points());
    stack.createCoverage();
    Map<String, Integer> answers;
    try (ChaosLoads loads = new ChaosLoads(Seed.random(), this::log);
        ChaosClients clients = new ChaosClients(CLIENTS, history, this::log);
        S3Server s3 = S3Server.start(SystemStack.directory("s3"));
        S3Throttle throttle = S3Throttle.start(s3, Seed.VALUE);
        ChaosStream stream = new ChaosStream(this::log)) {
      s3.createBucket("chaos");
      loads.run(false);
      nights = new ChaosNights(throttle, this::log);
      CompletableFuture<Void> night = CompletableFuture.completedFuture(null);
      Storm storm = new Storm(Seed.VALUE, throttle, stream, this::log);
      long stormBegan = System.nanoTime();
      loads.start();
      try {
        while (System.nanoTime() - stormBegan < RUN.toNanos() || !storm.isWhole()) {
          long round = System.nanoTime();
          assertThat(round - stormBegan)
              .as("time in which these faults were not carried out: %s", storm.missing())
              .isLessThan(RUN.plus(PATIENCE).toNanos());
          lookWhatIsCommitted();
          points.draw(end);
          end += ChaosPoints.ROUND;
          history.addLate(points.messages(), end - 1);
          send(points.messages());
          history.sent();
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
      loads.end();
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
      history.committed();
      for (; nextNight <= lastDay; nextNight += DAY) {
        nights.run(nextNight - DAY);
      }
      // The last night finds what came late since.
      drained(SystemStack.ROLLUPS);
      loads.run(false);
      clients.end();
      assertThat(clients.wrong()).as(Seed.describe()).isEmpty();
      answers = clients.counts();
      log("loads: " + loads.counts() + ", " + history.latePoints() + " late points of their days");
      books = stream.stop();
      streamStarts = stream.starts();
      end = lastDay;
    }
    assertThat(answers.get("from rollups")).isPositive();
    requireAllPoints(end);
    requireAnswersLikeRawData(end);
    long equal = nights.batch().requireEqual(SystemStack.INTERVALS, ChaosHistory.FROM, end);
    assertThat(books.get("booksClose").asBoolean()).as(books.toString()).isTrue();
    for (String group : List.of(SystemStack.POINTS, SystemStack.ROLLUPS, SystemStack.REQUESTS)) {
      assertThat(stack.status(group).at("/messages/deadLettered").asLong()).as(group).isZero();
    }
    assertThat(stack.read(SystemStack.DEAD_LETTERS)).isEmpty();
    log("faults: " + faults);
    log("the stream job was started " + streamStarts + " times; its books: " + books);
    log(nights.nights() + " nights, " + nights.repeatedSteps() + " steps repeated");
    log(refusedPuts + " puts by HTTP repeated");
    log("answers of " + CLIENTS + " clients: " + answers + ", 0 wrong");
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

  /** Late points that are committed must be in answers a while later. */
  private void lookWhatIsCommitted() {
    try {
      if (stack.topics().lag(SystemStack.POINTS, SystemStack.POINTS) == 0) {
        history.committed();
      }
    } catch (ServerException e) {
      // The broker is away.
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

  /** What the nights have covered, masks of late points or not. */
  private void requireAnswersLikeRawData(long end) {
    TsdClient raw = stack.tsd().client();
    TsdClient plugin =
        new TsdClient(
            URI.create("http://127.0.0.1:" + stack.tsd().port() + "/plugin/rollup-query/"));
    assertThat(raw.stats()).containsEntry("tsd.rollup_query.shadow.different plugin=httprpc", "0");
    for (String downsample : List.of("10m-sum", "1h-count", "1d-sum", "1d-max")) {
      assertThat(plugin.query(query(downsample, end, Optional.empty())))
          .as(downsample)
          .isEqualTo(raw.query(query(downsample, end, Optional.of("ROLLUP_RAW"))));
    }
  }

  private static QuerySpec query(String downsample, long end, Optional<String> usage) {
    return new QuerySpec(
        ChaosPoints.BY_KAFKA, START, end - 2, "none", Optional.of(downsample), Map.of(), usage);
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
