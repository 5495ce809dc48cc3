package io.tsdbsuite.bench.stream;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A job that reads rounds written before, on one core, and is then measured. The steps must be
 * called in the order in which they are written here.
 */
final class LoadedJob implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final long POLL_MILLIS = 50;
  private static final long ASK_MILLIS = 250;

  /** Until what was taken from Kafka is in the state. */
  private static final long REST_SECONDS = 2;

  private final Setting setting;
  private final Way way;
  private final Way.Run run;
  private final int series;
  private final RoundTimes times;
  private JobJvm job;
  private int rounds;

  private LoadedJob(
      Setting setting, Way way, Way.Run run, int series, RoundTimes times, JobJvm job) {
    this.setting = setting;
    this.way = way;
    this.run = run;
    this.series = series;
    this.times = times;
    this.job = job;
  }

  /**
   * Writes the input and starts the job.
   *
   * @param name unique name of the run
   * @param series number of series
   * @param period time between two points of a series, seconds
   * @param rounds points of each series
   */
  static LoadedJob start(Setting setting, Way way, String name, int series, int period, int rounds)
      throws IOException, InterruptedException {
    Way.Run run = setting.run(name);
    RoundTimes times = RoundTimes.before(setting.now(), period);
    long begin = System.nanoTime();
    setting.broker().release();
    try (InputWriter writer = new InputWriter(run.bootstrapServers(), run.points(), series)) {
      for (int round = 0; round < rounds; round++) {
        writer.round(times.start(round), period);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %,d messages written in %.0f s%n",
        name,
        (long) series * rounds,
        (System.nanoTime() - begin) / 1e9);
    setting.broker().bind();
    LoadedJob loaded =
        new LoadedJob(setting, way, run, series, times, setting.startOnOneCore(way, run));
    loaded.rounds = rounds;
    return loaded;
  }

  /** CPU and counts at one instant. */
  private record Sample(
      long nanos, double cpu, long consumed, int checkpoint, long changelog, long rollups) {}

  private Sample sample() throws IOException, InterruptedException {
    double cpu = job.cpuSeconds();
    long consumed = taken();
    long nanos = System.nanoTime();
    Optional<Path> checkpoint = StreamWay.checkpoints(run).newest();
    return new Sample(
        nanos,
        cpu,
        consumed,
        checkpoint.map(Checkpoints::number).orElse(0),
        setting.broker().messages(topic -> way.isChangelog(run, topic)),
        setting.broker().messages(run.rollups()::equals));
  }

  /**
   * CPU of the points behind the first rounds.
   *
   * @param warm rounds before
   */
  CpuFigure cpu(int warm) throws IOException, InterruptedException {
    awaitTaken((long) warm * series);
    Sample from = sample();
    awaitConsumed();
    Sample to = sample();
    long points = to.consumed - from.consumed;
    return new CpuFigure(
        points,
        (to.cpu - from.cpu) / points,
        points / ((to.nanos - from.nanos) / 1e9),
        to.checkpoint - from.checkpoint,
        (double) (to.changelog - from.changelog) / points,
        to.rollups - from.rollups);
  }

  /**
   * CPU figures.
   *
   * @param points points measured
   * @param secondsPerPoint CPU of the process per point, seconds
   * @param rate points per second
   * @param checkpoints checkpoints completed meanwhile
   * @param changelogPerPoint messages to changelogs per point
   * @param rollups rollups written meanwhile
   */
  record CpuFigure(
      long points,
      double secondsPerPoint,
      double rate,
      int checkpoints,
      double changelogPerPoint,
      long rollups) {}

  /** Waits until the input was read. */
  void awaitConsumed() throws InterruptedException {
    awaitTaken((long) rounds * series);
  }

  /** Asks the job rarely, because the answers are a part of its CPU. */
  private void awaitTaken(long messages) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (taken() < messages) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "the job must take " + messages + " messages, found " + taken() + ":\n" + job.log());
      }
      TimeUnit.MILLISECONDS.sleep(ASK_MILLIS);
    }
  }

  /** Messages that the job has taken of those that were written before its start. */
  private long taken() {
    long written = (long) rounds * series;
    return written - job.lag(run.points(), InputWriter.PARTITIONS).orElse(written);
  }

  /**
   * Waits for the end of the input, and for a checkpoint or commit behind it.
   *
   * @return the CPU meanwhile, and the time, in words
   */
  String awaitSaved() throws IOException, InterruptedException {
    awaitConsumed();
    TimeUnit.SECONDS.sleep(REST_SECONDS);
    double cpu = job.cpuSeconds();
    long begin = System.nanoTime();
    way.awaitSaved(run, true);
    return String.format(
        Locale.ROOT,
        "%.1f within %.0f s",
        job.cpuSeconds() - cpu,
        (System.nanoTime() - begin) / 1e9);
  }

  /** Used heap after a full collection, bytes. */
  long heap() {
    return job.heapAfterGc();
  }

  /** Size of the saved state on the job's disk, bytes. */
  long stateBytes() throws IOException {
    return way.stateBytes(run);
  }

  /** Size of the changelogs on the broker's disk, bytes. */
  long changelogBytes() throws InterruptedException {
    return setting.broker().bytes(topic -> way.isChangelog(run, topic));
  }

  /**
   * Kills the job and starts it again, while messages come.
   *
   * @param rate messages per second
   * @param killAfter time from a checkpoint to the kill, seconds
   */
  RestartFigure restart(int rate, int killAfter) throws IOException, InterruptedException {
    awaitConsumed();
    setting.broker().release();
    Cores.release(job.pid());
    try (InputWriter writer = new InputWriter(run.bootstrapServers(), run.points(), series);
        Pacer pacer =
            new Pacer(writer, times.start(rounds), rate, (double) rate * times.period() / series)) {
      way.awaitSaved(run, false);
      TimeUnit.SECONDS.sleep(killAfter);
      awaitLag(rate);
      long killed = System.nanoTime();
      job.close();
      int cores = Math.min(2, Runtime.getRuntime().availableProcessors());
      job = JobJvm.start(List.of(), way.arguments(run, cores), run.dir().resolve("job-again.log"));
      OptionalLong lag = job.lag(run.points(), InputWriter.PARTITIONS);
      while (lag.isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        lag = job.lag(run.points(), InputWriter.PARTITIONS);
      }
      double reading = (System.nanoTime() - killed) / 1e9;
      long behind = lag.getAsLong();
      awaitLag(rate);
      double caughtUp = (System.nanoTime() - killed) / 1e9;
      pacer.check();
      return new RestartFigure(reading, caughtUp, behind);
    }
  }

  /** Waits until it is at most a second behind. */
  private void awaitLag(int rate) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      OptionalLong lag = job.lag(run.points(), InputWriter.PARTITIONS);
      if (lag.isPresent() && lag.getAsLong() <= rate) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "the job must catch up within " + PATIENCE + ", found a lag of " + lag);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /**
   * Figures of a restart.
   *
   * @param reading time from the kill until every partition is read again, seconds
   * @param caughtUp time from the kill until the job is at most a second behind, seconds
   * @param behind messages that had to be read when reading began
   */
  record RestartFigure(double reading, double caughtUp, long behind) {}

  @Override
  public void close() {
    job.close();
    try {
      setting.broker().delete(run);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
