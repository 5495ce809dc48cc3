package io.tsdbsuite.stream.it;

import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code stream-rollup --local} in a process of its own, which can be killed. */
final class LocalProcess implements AutoCloseable {
  private final Path directory;
  private final Path checkpoints;
  private final URI uri;
  private final List<String> options;
  private final Thread atExit = new Thread(this::kill);
  private @Nullable Process process;
  private int starts;

  LocalProcess(Path directory, List<String> options) {
    this(
        directory,
        directory.resolve("checkpoints"),
        directory.resolve("checkpoints").toUri(),
        options);
  }

  /**
   * @param checkpoints where the files of the checkpoints are
   * @param uri the same directory for the process
   */
  LocalProcess(Path directory, Path checkpoints, URI uri, List<String> options) {
    this.directory = directory;
    this.checkpoints = checkpoints;
    this.uri = uri;
    this.options = options;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Starts from the newest checkpoint, if there is one. */
  void start() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "io.tsdbsuite.stream.cli.StreamMain",
                "--local",
                "--report=" + report(),
                "--checkpoint-dir=" + uri));
    command.addAll(options);
    newestCheckpoint()
        .ifPresent(
            found -> command.add("--from-checkpoint=" + uri + "/" + checkpoints.relativize(found)));
    starts++;
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log-" + starts + ".txt").toFile())
            .start();
  }

  /** The report of the books, written at the end. */
  Path report() {
    return directory.resolve("report.json");
  }

  /** The newest complete checkpoint or savepoint. */
  Optional<Path> newestCheckpoint() {
    return Checkpoints.newest(checkpoints);
  }

  private Process running() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException("start must be called first");
    }
    return running;
  }

  boolean isAlive() {
    return running().isAlive();
  }

  /** kill -9. */
  void kill() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
      try {
        running.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** SIGTERM; returns the exit code. */
  int stop() throws InterruptedException {
    running().destroy();
    // Longer than the process waits for its savepoint.
    if (!running().waitFor(5, TimeUnit.MINUTES)) {
      kill();
      throw new AssertionError("the process must end after SIGTERM: " + log());
    }
    return running().exitValue();
  }

  String log() {
    try {
      return Files.readString(directory.resolve("log-" + starts + ".txt"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void awaitCheckpointAfter(Optional<Path> before) {
    Await.until(
        "a checkpoint: " + log(),
        StreamStack.PATIENCE,
        () -> {
          if (!isAlive()) {
            throw new AssertionError(log());
          }
          return !newestCheckpoint().equals(before);
        });
  }

  @Override
  public void close() {
    kill();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
