package io.tsdbsuite.system;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * rollup-job over {@link ChaosHistory}, again and again: snapshots, HFiles, their load with its
 * coverage. Jobs and loads are processes of their own, some are killed at drawn moments; each is
 * repeated until it is done.
 */
final class ChaosLoads implements AutoCloseable {
  private static final int LONGEST_LIFE_MILLIS = 15_000;
  private static final int MOST_ATTEMPTS = 100;
  private static final int KILLED = 128 + 9;

  private final SystemStack stack = SystemStack.get();
  private final Path directory = SystemStack.directory("loads");
  private final Random random;
  private final Consumer<String> log;
  private final Map<String, Integer> counts = Collections.synchronizedMap(new TreeMap<>());
  private final Thread thread = new Thread(this::repeat, "loads");
  private volatile boolean over;
  private volatile Throwable failure;
  private int runs;

  ChaosLoads(Random random, Consumer<String> log) throws IOException {
    this.random = random;
    this.log = log;
    thread.setDaemon(true);
  }

  /** Runs again and again until {@link #end}. */
  void start() {
    thread.start();
  }

  private void repeat() {
    try {
      while (!over) {
        run(true);
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** Waits for the run that goes on. */
  void end() throws InterruptedException {
    over = true;
    thread.join();
    if (failure != null) {
      throw new AssertionError("the loads have failed", failure);
    }
  }

  /** Rolls up the history as it is now, and loads it. */
  void run(boolean kills) throws Exception {
    String name = "old" + ++runs;
    Path files = repeated("snapshots and HFiles", attempt -> roll(name + "-" + attempt, kills));
    Path report = directory.resolve(name + "-load.json");
    List<String> load =
        List.of(
            "load",
            "--hfile-dir=" + files.toUri(),
            "--tsd-config=" + stack.tsd().configFile(),
            "--report=" + report);
    repeated("load", attempt -> child("load", load, kills) ? report : null);
    int windows = new ObjectMapper().readTree(report.toFile()).at("/coverage/windows").size();
    count("windows", windows);
    log.accept("load " + runs + " is done, " + windows + " windows");
  }

  private interface Attempt {
    Path run(int attempt) throws Exception;
  }

  /** Repeats an attempt until it returns a path. */
  private Path repeated(String what, Attempt attempt) throws Exception {
    for (int i = 1; i <= MOST_ATTEMPTS; i++) {
      try {
        Path done = attempt.run(i);
        if (done != null) {
          return done;
        }
      } catch (IOException e) {
        log.accept(what + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }
    throw new AssertionError(what + " failed " + MOST_ATTEMPTS + " times");
  }

  /** The directory of the run; null if it was killed or failed. */
  private Path roll(String name, boolean kills) throws Exception {
    stack.hbase().snapshot(SystemStack.DATA_TABLE, name + "-data");
    Path files = directory.resolve(name);
    List<String> arguments =
        List.of(
            "--sink=hfile",
            "--hfile-dir=" + files.toUri(),
            "--snapshot-root=" + stack.hbase().rootDir(),
            "--data-snapshot=" + name + "-data",
            "--tsd-config=" + stack.tsd().configFile(),
            "--interval=" + String.join(",", SystemStack.INTERVALS),
            "--from=" + Instant.ofEpochSecond(ChaosHistory.FROM),
            "--to=" + Instant.ofEpochSecond(ChaosHistory.TO),
            "--report=" + directory.resolve(name + ".json"));
    if (!child("job", arguments, kills)) {
      return null;
    }
    try (Stream<Path> run = Files.list(files)) {
      return run.findFirst().orElseThrow();
    }
  }

  /** Whether the command has ended with 0; false if it was killed or has failed outside. */
  private boolean child(String what, List<String> arguments, boolean kills) throws Exception {
    Path output = directory.resolve("child.log");
    Process process = RollupJob.child(directory, output, arguments);
    try {
      if (kills && random.nextBoolean()) {
        process.waitFor(random.nextInt(LONGEST_LIFE_MILLIS), TimeUnit.MILLISECONDS);
        process.destroyForcibly();
      }
      int code = process.waitFor();
      log.accept("rollup-job " + what + ": exit code " + code);
      if (code == KILLED) {
        count(what + " killed", 1);
      } else if (code == ExitCode.OUTSIDE.code()) {
        count(what + " failed outside", 1);
      } else if (code == 0) {
        count(what + " done", 1);
      } else {
        throw new AssertionError(
            "exit code " + code + " of " + arguments + ": " + Files.readString(output));
      }
      return code == 0;
    } finally {
      process.destroyForcibly();
    }
  }

  @Override
  public void close() {
    over = true;
  }

  private void count(String what, int number) {
    counts.merge(what, number, Integer::sum);
  }

  /** Jobs and loads by how they have ended, and windows that were written. */
  Map<String, Integer> counts() {
    synchronized (counts) {
      return new TreeMap<>(counts);
    }
  }
}
