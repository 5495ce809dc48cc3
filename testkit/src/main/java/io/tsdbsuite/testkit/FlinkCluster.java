package io.tsdbsuite.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A stock Flink on loopback: a JobManager and TaskManagers (a session cluster), each in its own
 * JVM, and Flink's own command line.
 *
 * <pre>{@code
 * try (FlinkCluster flink = FlinkCluster.in(dir).taskManagers(2).slots(2).start()) {
 *   FlinkJob job = flink.submit(jar, "com.example.Job", "--topic", "points");
 *   job.awaitRunning();
 *   flink.taskManager(0).kill();
 * }
 * }</pre>
 *
 * <p>There is no high availability: a JobManager that is started again does not know the jobs of
 * the one before. {@link #resume} submits a job with the state of its last checkpoint. All files
 * are in the given directory, and the processes end with the JVM that started them, even if it is
 * killed.
 */
public final class FlinkCluster implements AutoCloseable {
  private static final String JOB_MANAGER =
      "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
  private static final String TASK_MANAGER =
      "org.apache.flink.runtime.taskexecutor.TaskManagerRunner";
  private static final Pattern SUBMITTED =
      Pattern.compile("Job has been submitted with JobID ([0-9a-f]{32})");

  /** The size and the configuration of a cluster. */
  public static final class Builder {
    private final Path dir;
    private int taskManagers = 1;
    private int slots = 1;
    private FlinkMemory memory = FlinkMemory.DEFAULT;
    private Map<String, String> conf = Map.of();
    private @Nullable Path plugins;
    private List<String> jvmFlags = List.of();
    private boolean optimized;

    private Builder(Path dir) {
      this.dir = dir.toAbsolutePath();
    }

    /**
     * The number of TaskManagers; the default is 1.
     *
     * @param number at least 1
     * @return this
     */
    public Builder taskManagers(int number) {
      taskManagers = number;
      return this;
    }

    /**
     * The slots of each TaskManager; the default is 1.
     *
     * @param number at least 1
     * @return this
     */
    public Builder slots(int number) {
      slots = number;
      return this;
    }

    /**
     * The heap of each TaskManager's tasks; the default is 160 MiB.
     *
     * @param mebibytes MiB
     * @return this
     */
    public Builder taskHeap(int mebibytes) {
      memory = new FlinkMemory(mebibytes);
      return this;
    }

    /**
     * Keys of config.yaml that replace the testkit's defaults, for example {@code
     * execution.checkpointing.interval}.
     *
     * @param overrides the keys and values
     * @return this
     */
    public Builder conf(Map<String, String> overrides) {
      conf = Map.copyOf(overrides);
      return this;
    }

    /**
     * Plugins, such as file systems, in addition to those of the distribution.
     *
     * @param directory contains a directory with the jars of each plugin
     * @return this
     */
    public Builder plugins(Path directory) {
      plugins = directory.toAbsolutePath();
      return this;
    }

    /**
     * Flags of all JVMs, also of the command line client, for example system properties.
     *
     * @param flags the flags
     * @return this
     */
    public Builder jvmFlags(List<String> flags) {
      jvmFlags = List.copyOf(flags);
      return this;
    }

    /**
     * Runs the servers with the JVM's optimizing compiler: a slower start, but full speed.
     *
     * @return this
     */
    public Builder optimized() {
      optimized = true;
      return this;
    }

    /**
     * Starts the cluster.
     *
     * @return the cluster, with all TaskManagers registered
     * @throws IOException when Flink cannot be installed, or a file cannot be written
     * @throws ServerException with the end of the log when a server does not start
     */
    public FlinkCluster start() throws IOException, InterruptedException {
      FlinkCluster cluster = new FlinkCluster(this, FlinkHome.get());
      cluster.start();
      return cluster;
    }
  }

  private final Path dir;
  private final FlinkRest rest;
  private final FlinkClient client;
  private final FlinkServer jobManager;
  private final List<FlinkServer> taskManagers = new ArrayList<>();

  private FlinkCluster(Builder builder, Path home) throws IOException {
    dir = builder.dir;
    int restPort = FreePorts.next();
    Map<String, String> conf = FlinkConfig.defaults(dir, FreePorts.next(), restPort);
    conf.put("taskmanager.numberOfTaskSlots", Integer.toString(builder.slots));
    conf.putAll(builder.memory.settings());
    conf.putAll(builder.conf);
    Path confDir = dir.resolve("conf");
    FlinkConfig.write(confDir, conf);
    rest = new FlinkRest(URI.create("http://127.0.0.1:" + restPort + "/"));
    FlinkJvms jvms =
        new FlinkJvms(
            home,
            confDir,
            plugins(dir.resolve("plugins"), home.resolve("plugins"), builder.plugins),
            builder.jvmFlags);
    client = new FlinkClient(jvms.client(), Files.createDirectories(dir.resolve("client")));
    ServerKind manager = jvms.jobManager();
    ServerKind worker = jvms.taskManager(builder.memory);
    if (builder.optimized) {
      manager = manager.optimized();
      worker = worker.optimized();
    }
    jobManager =
        new FlinkServer(
            "jobmanager",
            dir.resolve("jobmanager"),
            JOB_MANAGER,
            manager,
            confDir,
            id -> isJobManagerReady());
    for (int i = 0; i < builder.taskManagers; i++) {
      String name = "taskmanager-" + i;
      taskManagers.add(
          new FlinkServer(
              name,
              dir.resolve(name),
              TASK_MANAGER,
              worker,
              confDir,
              id -> registered().filter(ids -> ids.contains(id)).isPresent()));
    }
  }

  /**
   * A cluster of one TaskManager with one slot, not started yet.
   *
   * @param dir all of its files
   * @return the builder
   */
  public static Builder in(Path dir) {
    return new Builder(dir);
  }

  /** Flink takes one directory only. */
  private static Path plugins(Path linked, Path ofHome, @Nullable Path more) throws IOException {
    if (more == null) {
      return ofHome;
    }
    Files.createDirectories(linked);
    for (Path directory : List.of(ofHome, more)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
        for (Path plugin : all) {
          Files.createSymbolicLink(linked.resolve(plugin.getFileName()), plugin.toAbsolutePath());
        }
      }
    }
    return linked;
  }

  private void start() {
    try {
      jobManager.start();
      ParallelStart.run(
          taskManagers.stream().map(server -> (ParallelStart.Start) server::start).toList());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Ready for jobs: it answers, and the running TaskManagers have registered. */
  private boolean isJobManagerReady() {
    // The one is answered by its dispatcher, the other by its resource manager.
    if (rest.find("overview").isEmpty()) {
      return false;
    }
    Optional<Set<String>> ids = registered();
    return ids.isPresent()
        && taskManagers.stream()
            .filter(server -> server.isStarted() && server.isAlive())
            .allMatch(server -> ids.get().contains(server.resourceId()));
  }

  /** The resource ids of the registered TaskManagers; empty while the JobManager is not ready. */
  private Optional<Set<String>> registered() {
    return rest.find("taskmanagers")
        .map(
            answer -> {
              Set<String> ids = new HashSet<>();
              for (JsonNode server : answer.path("taskmanagers")) {
                ids.add(server.path("id").asText());
              }
              return ids;
            });
  }

  /**
   * The JobManager. A start of it after its end is complete when the running TaskManagers have
   * registered again, up to {@code heartbeat.timeout} later.
   *
   * @return the server
   */
  public FlinkServer jobManager() {
    return jobManager;
  }

  /**
   * A TaskManager. A start of it is complete when it has registered.
   *
   * @param index from 0
   * @return the server
   */
  public FlinkServer taskManager(int index) {
    return taskManagers.get(index);
  }

  /**
   * The JobManager's REST API and its pages.
   *
   * @return {@code http://127.0.0.1:PORT/}, the same for the life of this object
   */
  public URI rest() {
    return rest.base();
  }

  /**
   * Submits a job ({@code flink run --detached}). The program runs in the client's JVM up to its
   * {@code execute()}.
   *
   * @param jar the job's jar
   * @param mainClass its main class
   * @param arguments the program's arguments
   * @return the job
   * @throws ServerException with the output of the command when it fails
   */
  public FlinkJob submit(Path jar, String mainClass, String... arguments) {
    return submit(List.of(), jar, mainClass, arguments);
  }

  /**
   * Submits a job with the state of a checkpoint or savepoint ({@code flink run --detached
   * --fromSavepoint}).
   *
   * @param state its directory, for example {@link FlinkJob#latestCheckpoint}
   * @param jar the job's jar
   * @param mainClass its main class
   * @param arguments the program's arguments
   * @return the job, a new one with another id
   * @throws ServerException with the output of the command when it fails
   */
  public FlinkJob resume(Path state, Path jar, String mainClass, String... arguments) {
    return submit(List.of("--fromSavepoint", state.toUri().toString()), jar, mainClass, arguments);
  }

  /**
   * Submits a job with further options of {@code flink run}.
   *
   * @param options for example {@code -C} and a URL
   * @param jar the job's jar
   * @param mainClass its main class
   * @param arguments the program's arguments
   * @return the job
   * @throws ServerException with the output of the command when it fails
   */
  public FlinkJob submit(List<String> options, Path jar, String mainClass, String... arguments) {
    List<String> command = new ArrayList<>(List.of("run", "--detached"));
    command.addAll(options);
    command.addAll(List.of("--class", mainClass, jar.toAbsolutePath().toString()));
    command.addAll(List.of(arguments));
    return new FlinkJob(rest, client, dir, client.run(command, SUBMITTED));
  }

  /**
   * Runs any command of Flink's command line, with the cluster's configuration.
   *
   * @param arguments the command and its arguments
   * @return exit code and output
   * @throws ServerException when it takes over 3 minutes
   */
  public ToolRun flink(String... arguments) {
    return client.run(List.of(arguments));
  }

  /** Kills all servers: nothing of theirs is needed later. */
  @Override
  public void close() {
    List<FlinkServer> all = new ArrayList<>(taskManagers);
    all.add(jobManager);
    for (FlinkServer server : all) {
      if (server.isStarted()) {
        server.kill();
      }
    }
  }
}
