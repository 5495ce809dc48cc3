package io.tsdbsuite.bulk.it;

import io.tsdbsuite.testkit.SparkCommand;
import io.tsdbsuite.testkit.SparkHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The jar that users get, under a stock Spark's own spark-submit. */
final class SparkSubmit {
  private final Process process;
  private final Path directory;
  private final Path log;

  private SparkSubmit(Process process, Path directory, Path log) {
    this.process = process;
    this.directory = directory;
    this.log = log;
  }

  /** A finished spark-submit. */
  record Outcome(int code, String log) {}

  /**
   * Starts {@code spark-load}.
   *
   * @param directory gets the log and Spark's local files
   */
  static SparkSubmit start(Path directory, String master, List<String> arguments)
      throws IOException, InterruptedException {
    return start(directory, master, Map.of(), arguments);
  }

  /**
   * The same with properties.
   *
   * @param properties of Spark
   */
  static SparkSubmit start(
      Path directory, String master, Map<String, String> properties, List<String> arguments)
      throws IOException, InterruptedException {
    return start(SparkHome.get(), directory, master, properties, arguments);
  }

  /**
   * The same with another Spark than the one that the jar is built for.
   *
   * @param home of that Spark
   */
  static SparkSubmit start(
      Path home,
      Path directory,
      String master,
      Map<String, String> properties,
      List<String> arguments)
      throws IOException {
    Path local = Files.createDirectories(directory.resolve("local"));
    Path log = Files.createTempFile(directory, "spark-submit-", ".log");
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin").resolve("spark-submit").toString());
    command.addAll(List.of("--master", master));
    SparkCommand spark =
        new SparkCommand("")
            .conf("spark.driver.bindAddress", "127.0.0.1")
            .conf("spark.driver.host", "127.0.0.1")
            .conf("spark.executor.memory", "1024m")
            .conf(
                "spark.driver.extraJavaOptions",
                SparkCommand.SHORT_LIVED + " -Djava.io.tmpdir=" + directory);
    properties.forEach(spark::conf);
    command.addAll(spark.options());
    command.add(System.getProperty("loader.jar"));
    command.add("spark-load");
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(spark.environment());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SPARK_LOCAL_DIRS", local.toString());
    builder.environment().put("SPARK_WORKER_DIR", directory.resolve("workers").toString());
    builder.environment().remove("SPARK_HOME");
    return new SparkSubmit(builder.start(), local, log);
  }

  /** Where runs and shuffled data lie meanwhile. */
  Path local() {
    return directory;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Executors that run in JVMs of their own. */
  List<ProcessHandle> executors() {
    // A command that an executor starts has the executor's arguments for a moment.
    return process
        .descendants()
        .filter(
            child ->
                isExecutor(child) && !child.parent().map(SparkSubmit::isExecutor).orElse(false))
        .toList();
  }

  private static boolean isExecutor(ProcessHandle process) {
    return process.info().arguments().map(List::of).orElse(List.of()).stream()
        .anyMatch(argument -> argument.endsWith("CoarseGrainedExecutorBackend"));
  }

  Outcome await() throws IOException, InterruptedException {
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IOException("spark-submit does not end: " + log);
    }
    return new Outcome(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
  }
}
