package io.tsdbsuite.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JobManager or a TaskManager of a {@link FlinkCluster}, in its own JVM. Its log is {@code
 * <name>.log} in its directory, from level INFO.
 */
public final class FlinkServer extends ManagedServer {
  private static final Duration START = Duration.ofMinutes(5);

  /** Whether the server does its work. */
  interface Ready {
    /**
     * Asked until it is true.
     *
     * @param resourceId the server's {@link #resourceId}
     */
    boolean isReady(String resourceId);
  }

  private final String name;
  private final Path dir;
  private final String mainClass;
  private final ServerKind kind;
  private final Path conf;
  private final Ready ready;
  private int starts;

  /**
   * A server that is not started yet.
   *
   * @param name its name, unique in the cluster
   * @param dir its working directory
   * @param mainClass Flink's entry point
   * @param kind its JVM
   * @param conf the directory of config.yaml
   * @param ready tells when a start is complete
   */
  FlinkServer(String name, Path dir, String mainClass, ServerKind kind, Path conf, Ready ready) {
    this.name = name;
    this.dir = dir;
    this.mainClass = mainClass;
    this.kind = kind;
    this.conf = conf;
    this.ready = ready;
  }

  @Override
  ServerProcess launch() {
    starts++;
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("main", mainClass);
    arguments.put("arg.0", "--configDir");
    arguments.put("arg.1", conf.toString());
    arguments.put("arg.2", "-Dtaskmanager.resource-id=" + resourceId());
    ServerProcess process = ServerProcess.start(kind, name, dir, List.of(), arguments, START);
    try {
      Await.until(
          "the start of " + name,
          START,
          () -> {
            if (!process.isAlive()) {
              throw new ServerException(name + " ended while it started");
            }
            return ready.isReady(resourceId());
          });
    } catch (ServerException e) {
      process.kill();
      throw new ServerException(e.getMessage() + "; end of its log:\n" + process.logTail(), e);
    }
    return process;
  }

  /**
   * The name of the running process in the cluster. Another one after each start, so that a
   * registration of a former process is not mistaken for this one's.
   */
  synchronized String resourceId() {
    return name + "-" + starts;
  }

  /**
   * Its name.
   *
   * @return {@code jobmanager}, {@code taskmanager-0} and so on
   */
  public String name() {
    return name;
  }
}
