package io.tsdbsuite.bench.load;

import io.tsdbsuite.bench.load.Books.Totals;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The command line: {@code benchmarks/bin/load-generator}. */
public final class LoadMain {
  static final int DONE = 0;
  static final int REFUSED = 1;
  static final int USAGE = 2;
  static final int OUTSIDE = 3;

  /** Time for a TSD to answer open requests. */
  private static final long STOP_SECONDS = 65;

  private static final double NANOS = 1e9;

  private final PrintWriter out;
  private final PrintWriter err;
  private final Map<String, String> environment;
  private final Clock clock;
  private final Ticks ticks;
  private volatile @Nullable LoadGenerator generator;

  LoadMain(
      PrintWriter out, PrintWriter err, Map<String, String> environment, Clock clock, Ticks ticks) {
    this.out = out;
    this.err = err;
    this.environment = Map.copyOf(environment);
    this.clock = clock;
    this.ticks = ticks;
  }

  /** Runs the generator until its end or Ctrl-C. */
  public static void main(String[] args) throws InterruptedException {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    LoadMain main = new LoadMain(out, err, System.getenv(), Clock.systemUTC(), Ticks.SYSTEM);
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook = new Thread(() -> main.interrupt(ended), "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    int code = main.run(args);
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // Ctrl-C: the JVM is ending.
    }
    System.exit(code);
  }

  /** On Ctrl-C closes and prints the books before the JVM ends. */
  private void interrupt(CountDownLatch ended) {
    LoadGenerator running = generator;
    if (running != null) {
      running.stop();
      try {
        if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
          err.println("load-generator: a TSD does not answer, the books are not closed");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Runs the command and returns the exit code. */
  int run(String... args) throws InterruptedException {
    LoadCommand command = new LoadCommand();
    CommandLine line = new CommandLine(command);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setDefaultValueProvider(new LoadCommand.EnvironmentDefaults(environment));
    line.setUnmatchedOptionsAllowedAsOptionParameters(false);
    line.getCommandSpec().parser().collectErrors(true);
    ParseResult parsed = line.parseArgs(args);
    if (line.isUsageHelpRequested()) {
      line.usage(out);
      return DONE;
    }
    List<String> problems =
        Stream.concat(
                parsed.errors().stream().map(Exception::getMessage), command.problems().stream())
            .distinct()
            .toList();
    if (!problems.isEmpty()) {
      problems.forEach(problem -> err.println("load-generator: " + problem));
      err.println("Nothing was sent. --help lists the options.");
      return USAGE;
    }
    LoadPlan plan = command.plan(clock.instant());
    long start = ticks.nanos();
    LoadGenerator started;
    try {
      started = LoadGenerator.start(plan, ticks);
      generator = started;
    } catch (IOException e) {
      err.println("load-generator: " + e.getMessage());
      return OUTSIDE;
    }
    out.printf(
        Locale.ROOT,
        "%,d series and %d own, %s over %d connections to %s%n",
        plan.shape().series(),
        LoadPoints.OWN,
        plan.protocol().name().toLowerCase(Locale.ROOT),
        plan.workers(),
        plan.tsds());
    follow(started, command.interval, start);
    return close(started, start);
  }

  private void follow(LoadGenerator running, Duration interval, long started)
      throws InterruptedException {
    Totals last = new Totals(0, 0, 0);
    long before = started;
    int lost = 0;
    while (!running.await(interval)) {
      Totals now = running.books().totals();
      long time = ticks.nanos();
      out.printf(
          Locale.ROOT,
          "%,.0f s: %,d points, %,.0f per second, %,d failed, %,d ms late%s%n",
          (time - started) / NANOS,
          now.sent() - last.sent(),
          (now.sent() - last.sent()) * NANOS / Math.max(1, time - before),
          now.failed() - last.failed(),
          running.late().toMillis(),
          running.lostConnections() > lost ? ", no connection to a TSD" : "");
      lost = running.lostConnections();
      last = now;
      before = time;
    }
  }

  private int close(LoadGenerator ended, long started) {
    Totals totals = ended.books().totals();
    double seconds = (ticks.nanos() - started) / NANOS;
    out.printf(
        Locale.ROOT,
        "sent %,d = accepted %,d + failed %,d; %.1f s, %,.0f points per second%n",
        totals.sent(),
        totals.accepted(),
        totals.failed(),
        seconds,
        totals.sent() / Math.max(1 / NANOS, seconds));
    ended.books().reasons().forEach(reason -> err.println("load-generator: " + reason));
    if (!totals.closed()) {
      err.println("load-generator: the books do not close, a TSD's answers did not add up");
      return OUTSIDE;
    }
    if (ended.lostConnections() > 0) {
      return OUTSIDE;
    }
    return totals.failed() > 0 ? REFUSED : DONE;
  }
}
