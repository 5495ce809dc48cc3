package io.tsdbsuite.bench.stream;

import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How evenly rollups are written at the turn of a day, when buckets of all intervals end. The
 * seconds around the first rollups pass in real time; for stream-rollup the rest of the hour passes
 * in less.
 */
final class BurstPart {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int MINUTE = 60;
  private static final int HOUR = 3600;
  private static final int DAY = 86_400;
  private static final int ROUNDS_BEFORE = 12;

  /** From this time of the day on it passes as fast as the clock; the slack ends at 00:02:00. */
  private static final int REAL_FROM = Sizes.SLACK - 10;

  /** Seconds in real time. */
  private static final int REAL = 75;

  /** Of a maximum, while rollups come. */
  private static final int REAL_MEASURED = 60;

  /** Seconds of the messages' time per second: Flink aligns partitions at 60 at most. */
  private static final int SPEED = 40;

  /** Seconds without a rollup that show the end of a backlog. */
  private static final int STABLE = 5;

  /** Seconds of the messages' time whose rollups are counted together. */
  private static final int SPAN = 30;

  /** Rollups of a series in the hour behind a day's end: six of 10m, one of 1h, one of 1d. */
  private static final int ROLLUPS = 8;

  private final Setting setting;
  private final Report report;

  BurstPart(Setting setting, Report report) {
    this.setting = setting;
    this.report = report;
  }

  /**
   * Measures one way.
   *
   * @param wholeHour whether the rest of the hour passes too
   */
  void run(Way way, boolean wholeHour) throws IOException, InterruptedException {
    int series = setting.sizes().burstSeries();
    Way.Run run = setting.run("burst-" + (wholeHour ? "stream" : "dsl"));
    long midnight = midnight();
    setting.broker().release();
    try (InputWriter writer = new InputWriter(run.bootstrapServers(), run.points(), series)) {
      // The day's bucket must be complete, so the job starts before it.
      writer.round(midnight - DAY - 10 * MINUTE, MINUTE);
      writer.round(midnight - DAY + 5 * MINUTE, MINUTE);
      for (int round = 0; round < ROUNDS_BEFORE; round++) {
        writer.round(midnight + (round - ROUNDS_BEFORE + 1L) * MINUTE, MINUTE);
      }
      try (JobJvm job =
          JobJvm.start(List.of(), way.arguments(run, 1), run.dir().resolve("job.log"))) {
        awaitProcessed(run, job);
        measure(way, run, writer, midnight, wholeHour);
      }
    }
    setting.broker().delete(run);
  }

  /**
   * Waits until the messages until now are in the state: a job may hold back what it has taken. The
   * buckets before the last one that are complete have made their rollups then, three per series.
   */
  private void awaitProcessed(Way.Run run, JobJvm job) throws InterruptedException {
    long least = 3L * setting.sizes().burstSeries();
    Await.until(
        "all messages taken",
        PATIENCE,
        () -> job.lag(run.points(), InputWriter.PARTITIONS).orElse(1) == 0);
    long end = System.nanoTime() + PATIENCE.toNanos();
    long before = -1;
    long now = setting.broker().messages(run.rollups()::equals);
    while (now < least || now > before) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "at least " + least + " rollups must be written, found " + now + ":\n" + job.log());
      }
      TimeUnit.SECONDS.sleep(STABLE);
      before = now;
      now = setting.broker().messages(run.rollups()::equals);
    }
  }

  /** The last one at which the hour behind it is over. */
  private long midnight() {
    long behind = setting.now().getEpochSecond() - 2 * HOUR;
    return behind - behind % DAY;
  }

  private void measure(Way way, Way.Run run, InputWriter writer, long midnight, boolean wholeHour)
      throws InterruptedException {
    int series = writer.series();
    double rate = (double) series / MINUTE;
    long begin = System.currentTimeMillis();
    long time;
    try (Pacer pacer = new Pacer(writer, midnight + REAL_FROM, rate, 1)) {
      TimeUnit.SECONDS.sleep(REAL);
      time = pacer.time() / 1000 + 1;
    }
    long realEnd = System.currentTimeMillis();
    long fastBegin = realEnd;
    if (wholeHour) {
      fastBegin = System.currentTimeMillis();
      try (Pacer pacer = new Pacer(writer, time, rate * SPEED, SPEED)) {
        while (pacer.time() / 1000 < midnight + HOUR + Sizes.SLACK) {
          TimeUnit.MILLISECONDS.sleep(20);
        }
      }
    }
    long end = System.currentTimeMillis();
    // What is on its way when the last message is sent.
    TimeUnit.SECONDS.sleep(2);
    Arrivals arrivals = Arrivals.of(run.bootstrapServers(), run.rollups());
    long slackEnds = begin + (Sizes.SLACK - REAL_FROM) * 1000L;
    double mean = (double) ROLLUPS * series / HOUR;
    // The watermark follows within a second; the DSL writes at once.
    long from = wholeHour ? slackEnds + 2000 : begin;
    long most =
        arrivals.most(from, Math.min(realEnd, slackEnds + (2 + REAL_MEASURED) * 1000L), 1000);
    long found = arrivals.count(from, realEnd);
    String fast = "-";
    if (wholeHour) {
      long span = SPAN * 1000L / SPEED;
      double meanSpan = mean * SPAN;
      fast =
          String.format(
              Locale.ROOT, "%.2fx", arrivals.most(fastBegin + span, end, span) / meanSpan);
    }
    report.burst(way, series, mean, found, realEnd - from, most, fast);
    if (wholeHour) {
      report.aims().atMost("busiest second of writing over the mean", "x", 2, most / mean);
      long expected = (long) ROLLUPS * series;
      long all = arrivals.count(slackEnds, end + 2000);
      if (all < expected * 95 / 100 || all > expected * 105 / 100) {
        throw new IllegalStateException(
            "an hour must have about " + expected + " rollups, found " + all);
      }
    }
  }
}
