package io.tsdbsuite.rollup.it;

import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** The job in a JVM of its own, as spark-submit starts it, so that it can be killed. */
final class ChildJob implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final Process process;
  private final Path log;

  private ChildJob(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it on {@code local[2]}.
   *
   * @param directory for its log and temporary files
   */
  static ChildJob start(JobRun job, Path directory) throws IOException {
    return start(job.arguments(), directory);
  }

  /**
   * Starts any command line of the job.
   *
   * @param directory for its log and temporary files
   */
  static ChildJob start(List<String> arguments, Path directory) throws IOException {
    return start(arguments, directory, List.of());
  }

  /**
   * Starts any command line of the job.
   *
   * @param directory for its log and temporary files
   * @param flags further flags of the JVM
   */
  static ChildJob start(List<String> arguments, Path directory, List<String> flags)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(flags);
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")),
            "-Dspark.master=local[2]",
            "-Dspark.ui.enabled=false",
            "-Dspark.driver.host=127.0.0.1",
            "-Dspark.driver.bindAddress=127.0.0.1",
            "-cp",
            System.getProperty("java.class.path"),
            RollupMain.class.getName()));
    command.addAll(arguments);
    Path log = directory.resolve("job.log");
    return new ChildJob(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(),
        log);
  }

  /** Waits for something that it does. */
  void await(String what, Callable<Boolean> condition) {
    Await.until(
        what,
        LONG,
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("the job has ended: " + Files.readString(log));
          }
          return condition.call();
        });
  }

  /**
   * Waits for its end.
   *
   * @return whether it ended in time
   */
  boolean ended(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Its exit code, once it has ended. */
  int exitValue() {
    return process.exitValue();
  }

  /** All that it has printed. */
  String output() throws IOException {
    return Files.readString(log);
  }

  /** Ends it as {@code kill -9} does. */
  @Override
  public void close() {
    process.destroyForcibly();
    Await.until("the end of the job", LONG, () -> !process.isAlive());
  }
}
