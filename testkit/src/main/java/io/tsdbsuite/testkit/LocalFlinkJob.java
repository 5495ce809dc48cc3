package io.tsdbsuite.testkit;

import io.tsdbsuite.testkit.server.MainLauncher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job that brings its own Flink up: one JVM with the job's jar and Flink's jars from Maven,
 * without a distribution. Its output is {@code <name>.log} in its directory. It stops as by a
 * SIGTERM; {@link #stop} fails if its exit code is not 0.
 */
public final class LocalFlinkJob extends ManagedServer {
  private static final Duration START = Duration.ofMinutes(5);

  private final Path dir;
  private final String name;
  private final Path jar;
  private final String mainClass;
  private final List<String> arguments;

  private LocalFlinkJob(Path dir, String name, Path jar, String mainClass, List<String> arguments) {
    this.dir = dir.toAbsolutePath();
    this.name = name;
    this.jar = jar;
    this.mainClass = mainClass;
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Starts a job.
   *
   * @param dir all of its files
   * @param name names it in messages, and its log
   * @param jar the job's jar, without Flink
   * @param mainClass the job's main class, whose shutdown hook stops the job
   * @param arguments the arguments of its main method
   * @return the process; whether the job runs must be asked elsewhere
   * @throws ServerException with the end of the log when the JVM does not start
   */
  public static LocalFlinkJob start(
      Path dir, String name, Path jar, String mainClass, List<String> arguments) {
    LocalFlinkJob job = new LocalFlinkJob(dir, name, jar, mainClass, arguments);
    job.start();
    return job;
  }

  @Override
  ServerProcess launch() {
    Path logging;
    try {
      logging = FlinkConfig.writeLog4j(Files.createDirectories(dir));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> all = new LinkedHashMap<>();
    all.put("main", mainClass);
    for (int i = 0; i < arguments.size(); i++) {
      all.put("arg." + i, arguments.get(i));
    }
    return ServerProcess.start(kind(logging), name, dir, List.of(jar), all, START);
  }

  private static ServerKind kind(Path logging) {
    return new ServerKind(
        MainLauncher.class.getName(),
        () -> ServerKind.libraries("testkit-server-flink"),
        List.of(
            "-Xmx256m",
            "-XX:MaxMetaspaceSize=192m",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-Dtestkit.log.level=WARN",
            "-Dlog4j2.configurationFile=" + logging),
        Map.of(),
        "testkit-server-flink.java.home");
  }

  /**
   * The log with the job's own output.
   *
   * @return the file
   */
  public Path log() {
    return dir.resolve(name + ".log");
  }
}
