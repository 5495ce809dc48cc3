package io.tsdbsuite.system;

import static io.tsdbsuite.system.SystemStack.INTERVALS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.system.RollupJob.Run;
import io.tsdbsuite.system.StoredCells.Cell;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TelnetClient;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Points from Kafka and by HTTP, the stream job, repairs and rollup-job over one TSD and one HBase.
 * The stream's time goes on from test to test, so they have an order; {@code rollup-job verify} is
 * the judge.
 */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StreamRollupsIT {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;

  /** Midnight of 18 November 2025, UTC: the day that the batch rolls up first. */
  private static final long FIRST_DAY = 1763424000;

  /** The day of the six hours. */
  private static final long SECOND_DAY = FIRST_DAY + DAY;

  /** The job has started in the last hour before the first day. */
  private static final long START = FIRST_DAY - DAY;

  private static final long LATE = SECOND_DAY + 3 * DAY;
  private static final long REPLAY = LATE + HOUR;

  /** Larger than every other value of the six hours. */
  private static final double VERY_LARGE = 1e15;

  private static final String REPLAYED = "replayed";
  private static final String LIVE = "live";
  private static final String LIVE_TELNET = "live.telnet";
  private static final Duration MOST_LATE = SystemStack.REQUEUE_DELAY.plusMinutes(5);

  private static boolean failed;

  /** What a test waits for, the one before must have brought about. */
  @RegisterExtension
  static final TestWatcher FAILURES =
      new TestWatcher() {
        @Override
        public void testFailed(ExtensionContext context, Throwable cause) {
          failed = true;
        }
      };

  private static SystemStack stack;
  private static RollupJob batch;
  private static StreamProcess stream;
  private static final InputPoints POINTS = new InputPoints();
  private static final List<DataPoint> PUT = new ArrayList<>();
  private static Run night;
  private static int late;
  private static int notFinite;
  private static int bad;

  @BeforeAll
  static void start() throws Exception {
    stack = SystemStack.get();
    batch = new RollupJob();
  }

  @BeforeEach
  void goOn() {
    assumeFalse(failed, "the test before has failed");
  }

  @AfterAll
  static void stop() {
    if (stream != null) {
      stream.close();
    }
  }

  /**
   * Points of the last five seconds by HTTP and telnet; the publisher sends them to Kafka. A TSD
   * stores 0.1 on 8 bytes if it came by HTTP, and on 4 bytes if it came by telnet.
   */
  private static void putLive() {
    List<DataPoint> byHttp = new ArrayList<>();
    List<DataPoint> byTelnet = new ArrayList<>();
    long now = System.currentTimeMillis();
    for (int i = 0; i < 20; i++) {
      Object value = i % 3 == 0 ? (Object) (1000L + i) : i * 0.1;
      boolean millis = i % 2 == 0;
      long time = now - 250L * (20 - i);
      Map<String, String> tags = Map.of("host", "h" + i % 4);
      byHttp.add(new DataPoint(LIVE, millis ? time : time / 1000, value, tags));
      byTelnet.add(new DataPoint(LIVE_TELNET, millis ? time : time / 1000, value, tags));
    }
    stack.tsd().client().put(byHttp);
    try (TelnetClient telnet = stack.tsd().telnet()) {
      telnet.put(byTelnet);
    }
    PUT.addAll(byHttp);
    PUT.addAll(byTelnet);
  }

  @Test
  @Order(1)
  void theStreamReplaysADayAndTheCellsStayThoseOfTheBatch() throws Exception {
    POINTS.tick(FIRST_DAY - HOUR);
    for (long time = FIRST_DAY; time < FIRST_DAY + 3 * HOUR; time += 30) {
      long sent = time * 1000 + 500;
      POINTS.add(0, sent, InputPoints.point("first", "a", time, time % 977));
      POINTS.add(1, sent, InputPoints.point("first", "b", time * 1000 + 7, 0.1 * (time % 331)));
    }
    POINTS.send();
    stack.awaitStored(SystemStack.POINTS);
    Run run = batch.roll(FIRST_DAY, SECOND_DAY, "--metrics=first");
    stack.awaitStored(SystemStack.ROLLUPS);
    Map<String, Cell> cells = StoredCells.of("first");
    assertThat(cells).isNotEmpty();
    assertThat(cells.values()).extracting(Cell::timestamp).containsOnly(asOf(run));

    stream = StreamProcess.submitted();
    putLive();
    POINTS.tick(SECOND_DAY + 30).send();
    stream.awaitComplete("1d", SECOND_DAY);
    stack.awaitStored(SystemStack.ROLLUPS, SystemStack.REQUESTS);
    assertThat(stack.read(SystemStack.REQUESTS, "first")).isEmpty();
    List<JsonNode> ofStream =
        stack.read(SystemStack.ROLLUPS, "first").stream()
            .filter(rollup -> rollup.get("asOf").asLong() <= SECOND_DAY * 1000)
            .toList();
    // The four values of each rollup are four cells.
    assertThat(ofStream).hasSize(cells.size() / 4);
    assertThat(StoredCells.of("first")).isEqualTo(cells);
  }

  @Test
  @Order(2)
  void sixHoursAreEqualAfterRepairs() throws Exception {
    SixHours data = new SixHours(POINTS, SECOND_DAY);
    data.add();
    notFinite += data.notFinite();
    bad += data.bad();
    for (int hour : new int[] {0, 1, 2, 4}) {
      for (int minute = 0; minute < 60; minute++) {
        long time = SECOND_DAY + hour * HOUR + minute * 60L + 15;
        POINTS.add(0, time * 1000, InputPoints.point(REPLAYED, "r", time, minute + 0.5));
      }
    }
    long end = SECOND_DAY + SixHours.HOURS * HOUR;
    POINTS.tick(end).send();
    stream.awaitComplete("1h", end - HOUR);
    late += data.addLate(end + 1);
    POINTS.tick(SECOND_DAY + DAY + 30).send();
    stream.awaitComplete("1d", SECOND_DAY + DAY);
    stack.awaitStored(SystemStack.POINTS, SystemStack.ROLLUPS, SystemStack.REQUESTS);

    Set<String> reasons = new TreeSet<>();
    stack
        .read(SystemStack.REQUESTS, SixHours.METRIC)
        .forEach(request -> reasons.add(request.get("reason").asText()));
    assertThat(reasons).containsExactly("duplicate", "late");
    assertThat(stack.read(SystemStack.ROLLUPS, SixHours.METRIC))
        .extracting(rollup -> rollup.get("interval").asText())
        .contains("1m", "10m", "1h", "1d");
    long equal = batch.requireEqual(INTERVALS, START, SECOND_DAY + DAY);
    System.out.println("rollups equal after repairs: " + equal);
  }

  @Test
  @Order(3)
  void aPointThatIsThreeDaysLateIsRepaired() throws Exception {
    POINTS.tick(LATE).send();
    stream.awaitComplete("1m", LATE - 60);
    int before = stack.read(SystemStack.REQUESTS).size();
    long began = System.nanoTime();
    long hour = SECOND_DAY + HOUR;
    POINTS.add(
        0,
        (LATE + 1) * 1000,
        InputPoints.point(SixHours.METRIC, "h0", hour * 1000 + 7501, VERY_LARGE));
    late++;
    // The stream's time goes by the messages, the TSD's by the clock.
    long[] streamTime = {LATE + 55};
    Await.until(
        "the request",
        SystemStack.PATIENCE,
        () -> {
          streamTime[0] += 5;
          POINTS.tick(streamTime[0]).send();
          return stack.read(SystemStack.REQUESTS).size() > before;
        });
    List<JsonNode> requests = stack.read(SystemStack.REQUESTS, SixHours.METRIC);
    JsonNode request = requests.get(requests.size() - 1);
    assertThat(request.get("timestamp").asLong()).isEqualTo(hour);
    assertThat(request.get("intervals")).hasSize(INTERVALS.size());
    stack.awaitStored(SystemStack.REQUESTS);
    Duration clock = Duration.ofNanos(System.nanoTime() - began);
    Duration messages = Duration.ofSeconds(streamTime[0] - LATE);
    System.out.printf(
        "a point late by 3 days: request after %d s of the stream's time; repaired %.1f s after"
            + " the point was sent, with a requeueDelay of %d s%n",
        messages.toSeconds(), clock.toMillis() / 1000.0, SystemStack.REQUEUE_DELAY.toSeconds());
    assertThat(clock.plus(messages)).isLessThan(MOST_LATE);
    TsdOracle raw = new TsdOracle(stack.tsd().client());
    TsdOracle stored = TsdOracle.ofStoredRollups(stack.tsd().client());
    for (String interval : INTERVALS) {
      long from = interval.equals("1d") ? SECOND_DAY : hour;
      long to = interval.equals("1d") ? SECOND_DAY + DAY : hour + HOUR;
      assertThat(
              RollupDiff.of(
                  raw.rollups(SixHours.METRIC, from, to, interval),
                  stored.rollups(SixHours.METRIC, from, to, interval)))
          .as(interval)
          .isEmpty();
      assertThat(stored.rollups(SixHours.METRIC, from, to, interval).values())
          .as(interval)
          .anyMatch(rollup -> rollup.max() >= VERY_LARGE);
    }
  }

  @Test
  @Order(4)
  void theBatchReplacesTheStream() throws Exception {
    Map<String, Cell> before = StoredCells.of(SixHours.METRIC);
    // Version 3 of the messages, where the stream's have version 1.
    night = batch.roll(FIRST_DAY, SECOND_DAY + DAY, "--rollups-per-message=24");
    stack.awaitStored(SystemStack.ROLLUPS);
    Map<String, Cell> after = StoredCells.of(SixHours.METRIC);
    assertThat(after.values()).extracting(Cell::timestamp).containsOnly(asOf(night));
    assertThat(values(after)).isEqualTo(values(before));
  }

  /** A producer replays hours of a series: more buckets change than one state has requests for. */
  @Test
  @Order(5)
  void theNightlyRunFindsWhatTheStreamDidNotRequest() throws Exception {
    POINTS.tick(REPLAY).send();
    stream.awaitComplete("1m", REPLAY - 60);
    for (int i = 0; i < SixHours.HOURS * 60; i++) {
      POINTS.add(
          0,
          REPLAY * 1000 + 50L * i,
          InputPoints.point(REPLAYED, "r", SECOND_DAY + i * 60L + 45, i));
      late++;
    }
    POINTS.tick(REPLAY + 200).send();
    stream.awaitComplete("1m", REPLAY + 120);
    stack.awaitStored(SystemStack.POINTS, SystemStack.ROLLUPS, SystemStack.REQUESTS);

    Map<String, Set<Long>> left = new HashMap<>();
    for (String interval : INTERVALS) {
      Set<Long> starts = new TreeSet<>();
      for (int i = 0; i < SixHours.HOURS * 60; i++) {
        long time = SECOND_DAY + i * 60L;
        starts.add(time - time % width(interval));
      }
      left.put(interval, starts);
    }
    for (JsonNode request : stack.read(SystemStack.REQUESTS, REPLAYED)) {
      long hour = request.get("timestamp").asLong();
      for (JsonNode each : request.get("intervals")) {
        long width = width(each.asText());
        // A repair writes all narrow buckets of the hour.
        left.get(each.asText())
            .removeIf(
                start ->
                    width > HOUR ? start == hour - hour % width : start - start % HOUR == hour);
      }
    }
    assertThat(left.get("1m")).isNotEmpty();
    assertThat(left.get("1h")).isNotEmpty();
    Run found = batch.verify(INTERVALS, FIRST_DAY, SECOND_DAY + DAY);
    assertThat(found.exitCode()).as(found.output()).isEqualTo(ExitCode.BAD_INPUT);
    JsonNode compared = found.report().get("compared");
    assertThat(compared.get("extra").asLong()).isZero();
    // Hour 4 has rollups that are wrong now, hour 5 has none.
    assertThat(compared.get("different").asLong()).isPositive();
    assertThat(compared.get("missing").asLong()).isPositive();
    for (String interval : INTERVALS) {
      JsonNode counts = compared.at("/byInterval/" + interval);
      assertThat(counts.get("different").asLong() + counts.get("missing").asLong())
          .as(interval)
          .isEqualTo(left.get(interval).size());
    }
    for (JsonNode samples : found.report().get("samples")) {
      assertThat(samples).allMatch(sample -> sample.toString().contains(REPLAYED + "{host=r}"));
    }

    Run next =
        batch.roll(
            SECOND_DAY + DAY,
            SECOND_DAY + 2 * DAY,
            "--since-report=" + night.file(),
            "--changed-margin=0s");
    assertThat(next.report().at("/input/changedRows").asLong()).isEqualTo(SixHours.HOURS);
    stack.awaitStored(SystemStack.ROLLUPS);
    batch.requireEqual(INTERVALS, START, SECOND_DAY + 2 * DAY);
    System.out.printf(
        "not requested: %d of 1m, %d of 10m, %d of 1h, %d of 1d; %s different, %s missing before"
            + " the nightly run%n",
        left.get("1m").size(),
        left.get("10m").size(),
        left.get("1h").size(),
        left.get("1d").size(),
        compared.get("different"),
        compared.get("missing"));
  }

  /** Also what moves the publisher's partition goes through the TSD. */
  @Test
  @Order(6)
  void publishedPointsBecomeRollupsAndTheBooksClose() throws Exception {
    long from = seconds(PUT.get(0));
    long last = seconds(PUT.get(PUT.size() - 1));
    Await.until(
        "the last minute of published points",
        SystemStack.PATIENCE,
        () -> {
          long now = System.currentTimeMillis() / 1000;
          POINTS.tick(now).send();
          DataPoint tick = new DataPoint("tick", now, 1L, Map.of("host", "http"));
          stack.tsd().client().put(List.of(tick));
          PUT.add(tick);
          return stream.isComplete("1m", last - last % 60 + 60);
        });
    stream.awaitSent();
    stack.awaitStored(SystemStack.POINTS, SystemStack.ROLLUPS, SystemStack.REQUESTS);
    // The stream has emitted all itself.
    assertThat(stack.read(SystemStack.REQUESTS, LIVE)).isEmpty();
    assertThat(stack.read(SystemStack.REQUESTS, LIVE_TELNET)).isEmpty();
    batch.requireEqual(
        List.of("1m"),
        from - from % HOUR,
        last - last % HOUR + HOUR,
        "--metrics=" + LIVE + "*",
        "--allow-incomplete");

    JsonNode books = stream.stop();
    System.out.println("books: " + books);
    assertThat(books.get("booksClose").asBoolean()).isTrue();
    assertThat(books.get("consumed").asLong()).isEqualTo(POINTS.elements() + PUT.size());
    assertThat(books.get("late").asLong()).isGreaterThanOrEqualTo(late);
    assertThat(books.get("notFinite").asLong()).isEqualTo(notFinite);
    assertThat(books.get("bad").asLong()).isEqualTo(bad);
    assertThat(books.get("notRequested").asLong()).isPositive();
    JsonNode points = stack.status(SystemStack.POINTS);
    assertThat(points.at("/messages/deadLettered").asLong()).isEqualTo(notFinite + bad);
    assertThat(stack.status(SystemStack.ROLLUPS).at("/messages/deadLettered").asLong()).isZero();
    assertThat(stack.status(SystemStack.REQUESTS).at("/messages/deadLettered").asLong()).isZero();
  }

  private static long seconds(DataPoint point) {
    return point.timestamp() > 100 * START ? point.timestamp() / 1000 : point.timestamp();
  }

  private static long width(String interval) {
    return switch (interval) {
      case "1m" -> 60;
      case "10m" -> 600;
      case "1h" -> HOUR;
      default -> DAY;
    };
  }

  private static long asOf(Run run) {
    return Instant.parse(run.report().at("/input/asOf").asText()).toEpochMilli();
  }

  private static Map<String, String> values(Map<String, Cell> cells) {
    Map<String, String> values = new HashMap<>();
    cells.forEach((key, cell) -> values.put(key, cell.value()));
    return values;
  }
}
