package io.tsdbsuite.rollup.it;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.SparkCommand;
import io.tsdbsuite.testkit.SparkHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stock Spark with a master and a worker on each host. Two names of this machine are two hosts to
 * Spark: it starts the twin of a slow task on another host only. All of it ends with this JVM.
 */
final class SparkCluster implements AutoCloseable {
  static final String FIRST = "127.0.0.1";
  static final String SECOND = "localhost";

  private static final Duration BOUND = Duration.ofSeconds(60);

  /** Ends the server when this JVM closes the pipe, in whatever way. */
  private static final String GUARD =
      "\"$@\" < /dev/null & server=$!; cat > /dev/null; kill $server; wait $server";

  private final Path home;
  private final Path directory = TestFiles.directory("cluster");
  private final int port = FreePorts.next();
  private final List<Process> processes = new ArrayList<>();

  private final int cores;
  private final List<String> hosts;

  private SparkCluster(Path home, int cores, List<String> hosts) {
    this.home = home;
    this.cores = cores;
    this.hosts = hosts;
  }

  /**
   * Starts it.
   *
   * @param cores of each worker, and as many slots of its executor
   * @param hosts of workers: {@link #FIRST}, {@link #SECOND} or both
   */
  static SparkCluster start(int cores, String... hosts) throws IOException, InterruptedException {
    SparkCluster cluster = new SparkCluster(SparkHome.get(), cores, List.of(hosts));
    cluster.launch(
        "org.apache.spark.deploy.master.Master",
        FIRST,
        "--port",
        Integer.toString(cluster.port),
        "--webui-port",
        "0");
    cluster.awaitLog("Master", FIRST, "New state: ALIVE");
    for (String host : cluster.hosts) {
      cluster.launch(
          "org.apache.spark.deploy.worker.Worker",
          host,
          "--webui-port",
          "0",
          "--cores",
          Integer.toString(cores),
          "--memory",
          "1g",
          "--work-dir",
          cluster.directory.resolve("work-" + host).toString(),
          cluster.url());
    }
    for (String host : cluster.hosts) {
      cluster.awaitLog("Worker", host, "Successfully registered");
    }
    return cluster;
  }

  private void launch(String name, String host, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("bash", "-c", GUARD, "guard"));
    command.add(home.resolve("bin/spark-class").toString());
    command.addAll(List.of(name, "--host", host));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log(name.substring(name.lastIndexOf('.') + 1), host).toFile());
    Map<String, String> environment = builder.environment();
    environment.remove("SPARK_HOME");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SPARK_LOCAL_IP", host);
    environment.put("SPARK_LOCAL_DIRS", directory.toString());
    environment.put("SPARK_DAEMON_MEMORY", "128m");
    environment.put("SPARK_DAEMON_JAVA_OPTS", SparkCommand.SHORT_LIVED);
    processes.add(builder.start());
  }

  private Path log(String name, String host) {
    return directory.resolve(name + "-" + host + ".log");
  }

  private void awaitLog(String name, String host, String text) {
    Path log = log(name, host);
    Await.until(
        text + " in " + log,
        BOUND,
        () -> Files.exists(log) && Files.readString(log, StandardCharsets.UTF_8).contains(text));
  }

  String url() {
    return "spark://" + FIRST + ":" + port;
  }

  /** Settings for a job on it, with the jar that users get. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.master", url());
    settings.put("spark.jars", System.getProperty("spark.jar"));
    settings.put("spark.executor.instances", Integer.toString(hosts.size()));
    settings.put("spark.executor.cores", Integer.toString(cores));
    settings.put("spark.executor.memory", "512m");
    settings.put("spark.executor.extraJavaOptions", SparkCommand.SHORT_LIVED);
    return settings;
  }

  /** The executor's JVM on a host. */
  ProcessHandle executor(String host) {
    return Await.value("an executor on " + host, BOUND, () -> find(host));
  }

  private Optional<ProcessHandle> find(String host) {
    return processes.stream()
        .flatMap(Process::descendants)
        .filter(
            process -> {
              List<String> arguments =
                  Arrays.asList(process.info().arguments().orElse(new String[0]));
              int at = arguments.indexOf("--hostname");
              return arguments.stream().anyMatch(a -> a.endsWith("CoarseGrainedExecutorBackend"))
                  && at >= 0
                  && arguments.get(at + 1).equals(host);
            })
        .findFirst();
  }

  /** Freezes a process (SIGSTOP), or lets it go on (SIGCONT). */
  static void signal(ProcessHandle process, String signal)
      throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill -" + signal + " " + process.pid() + " failed");
    }
  }

  @Override
  public void close() throws IOException {
    List<Process> workersFirst = new ArrayList<>(processes);
    Collections.reverse(workersFirst);
    for (Process process : workersFirst) {
      process.getOutputStream().close();
      Await.until("the end of " + process, BOUND, () -> !process.isAlive());
    }
  }
}
