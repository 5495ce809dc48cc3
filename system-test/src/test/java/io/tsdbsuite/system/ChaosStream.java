package io.tsdbsuite.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The stream job under a supervisor: when its process ends, it is started again from its newest
 * checkpoint. Thread-safe.
 */
final class ChaosStream implements AutoCloseable {
  private final Path directory = SystemStack.directory("stream");
  private final Consumer<String> log;
  private StreamProcess process;
  private int starts = 1;

  ChaosStream(Consumer<String> log) throws IOException {
    this.log = log;
    this.process = start();
  }

  private StreamProcess start() throws IOException {
    // What came by HTTP has the clock's time and not the messages': only the batch reads it.
    return new StreamProcess(directory, List.of(SystemStack.POINTS));
  }

  /** Starts it again if it was killed, or has failed because of the storm. */
  synchronized void supervise() throws IOException {
    if (!process.isAlive()) {
      log.accept("stream job ended with " + process.exitCode() + ", started again");
      assertThat(process.exitCode())
          .as(process::logText)
          .isIn(StreamProcess.KILLED, ExitCode.OUTSIDE.code());
      process.close();
      starts++;
      process = start();
    }
  }

  /**
   * @throws IOException if it had ended before
   */
  synchronized void kill() throws IOException {
    process.kill();
    if (process.exitCode() != StreamProcess.KILLED) {
      throw new IOException("it had ended with " + process.exitCode());
    }
  }

  synchronized void suspend() throws IOException, InterruptedException {
    process.signal("STOP");
  }

  synchronized void resume() throws IOException, InterruptedException {
    process.signal("CONT");
  }

  /** Waits until it has emitted or requested all buckets up to an instant, and Kafka has them. */
  void awaitComplete(String interval, long seconds, Duration patience) {
    Await.until(
        interval + " to be complete to " + seconds,
        patience,
        () -> {
          supervise();
          return isComplete(interval, seconds);
        });
    awaitSent();
  }

  private synchronized boolean isComplete(String interval, long seconds) throws IOException {
    return process.isComplete(interval, seconds);
  }

  private synchronized void awaitSent() {
    process.awaitSent();
  }

  /** SIGTERM; returns the books. */
  synchronized JsonNode stop() throws IOException, InterruptedException {
    return process.stop();
  }

  synchronized int starts() {
    return starts;
  }

  @Override
  public synchronized void close() {
    process.close();
  }
}
