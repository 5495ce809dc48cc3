package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.SparkCommand;
import io.tsdbsuite.testkit.SparkHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The jar that users get, under a stock Spark's own spark-submit. All of its files, those of its
 * executors too, are in one directory, which is the driver's working directory.
 */
final class SparkSubmit implements AutoCloseable {
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final String EXECUTOR = "CoarseGrainedExecutorBackend";

  private final Path directory;
  private final SparkCommand spark = new SparkCommand("");
  private String version = System.getProperty("spark.version");
  private Process process;

  /**
   * @param directory empty; nothing below it may be needed afterwards
   */
  SparkSubmit(Path directory) {
    this.directory = directory;
    conf("spark.driver.bindAddress", "127.0.0.1");
    conf("spark.driver.host", "127.0.0.1");
  }

  SparkSubmit conf(String key, String value) {
    spark.conf(key, value);
    return this;
  }

  /** Further options of spark-submit itself. */
  SparkSubmit with(String... more) {
    spark.with(more);
    return this;
  }

  /** A variable of the driver's environment, and of that of its executors. */
  SparkSubmit environment(String name, String value) {
    spark.environment(name, value);
    return this;
  }

  /** A Spark of another version than the one that the jar is built for. */
  SparkSubmit version(String other) {
    version = other;
    return this;
  }

  Path directory() {
    return directory;
  }

  SparkSubmit start(String master, List<String> args) throws IOException, InterruptedException {
    Path home = home();
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/spark-submit").toString());
    command.addAll(List.of("--master", master));
    command.addAll(spark.options());
    command.add(System.getProperty("spark.jar"));
    command.addAll(args);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log().toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SPARK_LOCAL_DIRS", directory.toString());
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().putAll(spark.environment());
    process = builder.start();
    return this;
  }

  /** Spark's files by links: a local cluster keeps the files of its executors in Spark's home. */
  private Path home() throws IOException, InterruptedException {
    Path home = Files.createDirectory(directory.resolve("spark"));
    try (Stream<Path> files = Files.list(SparkHome.get(version))) {
      for (Path file : files.toList()) {
        if (!file.endsWith("work")) {
          Files.createSymbolicLink(home.resolve(file.getFileName()), file);
        }
      }
    }
    return home;
  }

  private Path log() {
    return directory.resolve("spark-submit.log");
  }

  /** What it has said on standard output and standard error. */
  String output() {
    try {
      return Files.readString(log(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The JVM of the first executor, as soon as there is one. */
  ProcessHandle executor() {
    return Await.value(
        "an executor",
        LONG,
        () -> {
          assertThat(process.isAlive()).as(this::output).isTrue();
          return process
              .descendants()
              .filter(one -> commandLine(one.pid(), "cmdline").contains(EXECUTOR))
              .findFirst();
        });
  }

  /** Command line and environment of each process, by its id. */
  Map<Long, String> commandLines() {
    Map<Long, String> lines = new LinkedHashMap<>();
    Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .forEach(
            one ->
                lines.put(
                    one.pid(),
                    commandLine(one.pid(), "cmdline") + commandLine(one.pid(), "environ")));
    return lines;
  }

  private static String commandLine(long pid, String part) {
    try {
      return Files.readString(
          Path.of("/proc", Long.toString(pid), part), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // It has ended.
    }
  }

  /** Waits for its end; the exit code. */
  int await() throws InterruptedException {
    assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
        .as("spark-submit ends")
        .isTrue();
    return process.exitValue();
  }

  /** Ends what has not ended, and removes the executors' copies of the jar, which is large. */
  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    Path work = directory.resolve("spark").resolve("work");
    if (!Files.exists(work)) {
      return;
    }
    try (Stream<Path> files = Files.walk(work)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        Files.delete(file);
      }
    }
  }
}
