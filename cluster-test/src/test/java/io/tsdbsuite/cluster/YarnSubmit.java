package io.tsdbsuite.cluster;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HadoopCluster;
import io.tsdbsuite.testkit.HadoopServer;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.SparkCommand;
import io.tsdbsuite.testkit.SparkHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A jar that users get, under {@code spark-submit --master yarn} of a stock Spark. */
final class YarnSubmit {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

  /** The JVM of the driver, or of its helper in client mode. */
  static final String MASTER = "ApplicationMaster|ExecutorLauncher";

  static final String EXECUTOR = "YarnCoarseGrainedExecutorBackend";

  private final HadoopCluster hadoop;
  private final Mode mode;
  private final Path directory;
  private final SparkCommand spark;

  /**
   * A job of two executors with a core each.
   *
   * @param jvmFlags of every JVM of the job, for example for Kerberos
   */
  YarnSubmit(HadoopCluster hadoop, Mode mode, Path directory, List<String> jvmFlags) {
    this.hadoop = hadoop;
    this.mode = mode;
    this.directory = directory;
    this.spark = new SparkCommand(String.join(" ", jvmFlags));
    String flags = String.join(" ", SparkCommand.SHORT_LIVED, String.join(" ", jvmFlags)).strip();
    // For spark-submit itself in cluster mode.
    environment("SPARK_SUBMIT_OPTS", flags);
    conf("spark.executor.instances", "2");
    conf("spark.executor.cores", "1");
    conf("spark.executor.memoryOverhead", "256m");
    conf("spark.driver.memory", "640m");
    conf("spark.driver.memoryOverhead", "256m");
    conf("spark.yarn.am.memory", "256m");
    conf("spark.yarn.am.memoryOverhead", "128m");
    conf("spark.yarn.maxAppAttempts", "1");
    conf("spark.yarn.report.interval", "500");
    conf("spark.yarn.scheduler.heartbeat.interval-ms", "500");
    // The address of a machine whose name is that of its loopback.
    conf("spark.executorEnv.SPARK_LOCAL_IP", "127.0.0.1");
    conf("spark.yarn.appMasterEnv.SPARK_LOCAL_IP", "127.0.0.1");
    if (mode == Mode.CLIENT) {
      conf("spark.yarn.am.extraJavaOptions", flags);
      conf("spark.driver.bindAddress", "127.0.0.1");
      conf("spark.driver.host", "127.0.0.1");
    }
  }

  YarnSubmit conf(String key, String value) {
    spark.conf(key, value);
    return this;
  }

  /** Further options of spark-submit. */
  YarnSubmit with(String... more) {
    spark.with(more);
    return this;
  }

  /** A variable of spark-submit's environment. */
  YarnSubmit environment(String name, String value) {
    spark.environment(name, value);
    return this;
  }

  /** Spark's own {@code spark-submit}. */
  static String program() throws IOException, InterruptedException {
    return SparkHome.get().resolve("bin/spark-submit").toString();
  }

  /** Options of spark-submit, without the deploy mode. */
  List<String> options() throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("--master", "yarn"));
    // On every node already, as a cluster's own Spark is.
    conf("spark.yarn.jars", "local:" + SparkHome.get().resolve("jars") + "/*");
    all.addAll(spark.options());
    return all;
  }

  /** The variables of spark-submit's environment. */
  Map<String, String> environment() throws IOException {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("HADOOP_CONF_DIR", hadoop.confDir().toString());
    variables.put(
        "SPARK_LOCAL_DIRS", Files.createDirectories(directory.resolve("local")).toString());
    variables.putAll(spark.environment());
    return variables;
  }

  /** Starts spark-submit. */
  Job start(String jar, List<String> arguments) {
    try {
      List<String> command = new ArrayList<>(List.of(program()));
      command.addAll(List.of("--deploy-mode", mode.option()));
      command.addAll(options());
      command.add(jar);
      command.addAll(arguments);
      return new Job(Program.start(directory, environment(), command), hadoop);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A submitted job. */
  static final class Job implements AutoCloseable {
    private final Program program;
    private final HadoopCluster hadoop;

    private Job(Program program, HadoopCluster hadoop) {
      this.program = program;
      this.hadoop = hadoop;
    }

    boolean isAlive() {
      return program.isAlive();
    }

    /** Waits for its end; the output has that of the containers too. */
    Program.Outcome await() throws InterruptedException, IOException {
      Program.Outcome outcome = program.await();
      return new Program.Outcome(outcome.exitCode(), outcome.output() + containerLogs());
    }

    private String containerLogs() throws IOException {
      Matcher id = APPLICATION.matcher(program.output());
      return id.find() ? hadoop.logs(id.group()) : "";
    }

    /** What it has said until now, its containers included. */
    String output() throws IOException {
      return program.output() + containerLogs();
    }

    /** The node that runs a process of the job, as soon as one does. */
    HadoopServer node(String process) {
      Pattern wanted = Pattern.compile(process);
      return Await.value(
          "a container with " + process,
          LONG,
          () -> {
            if (!program.isAlive()) {
              throw new IllegalStateException(program.output());
            }
            for (int i = 0; i < hadoop.nodes(); i++) {
              HadoopServer node = hadoop.node(i);
              if (node.isAlive() && node.commandLines().stream().anyMatch(wanted.asPredicate())) {
                return Optional.of(node);
              }
            }
            return Optional.empty();
          });
    }

    /** The first node that does not run a process of the job. */
    HadoopServer nodeWithout(String process) {
      HadoopServer with = node(process);
      return with == hadoop.node(0) ? hadoop.node(1) : hadoop.node(0);
    }

    /** Waits until a topic has so many messages. */
    void awaitMessages(KafkaServer kafka, String topic, int number) {
      Await.until(
          number + " messages in " + topic,
          LONG,
          () -> {
            if (!program.isAlive()) {
              throw new IllegalStateException(output());
            }
            return kafka.topics().endOffsets(topic).values().stream()
                    .mapToLong(Long::longValue)
                    .sum()
                >= number;
          });
    }

    @Override
    public void close() {
      program.close();
    }
  }
}
