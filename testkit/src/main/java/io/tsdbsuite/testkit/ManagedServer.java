package io.tsdbsuite.testkit;

import org.jspecify.annotations.Nullable;

/** A server in its own JVM that can be stopped, killed, suspended and restarted. Thread-safe. */
public abstract sealed class ManagedServer implements AutoCloseable
    permits FlinkServer,
        HadoopServer,
        HBaseRegionServer,
        HBaseServer,
        KafkaServer,
        Kdc,
        LocalFlinkJob,
        S3Server,
        TsdServer {
  private @Nullable ServerProcess process;

  /**
   * Restarts the server after {@link #stop()} or {@link #kill()}, with the same ports and files.
   *
   * @throws ServerException with the end of the log when it does not start
   */
  public final synchronized void start() {
    process = launch();
  }

  private ServerProcess process() {
    if (process == null) {
      throw new IllegalStateException("the server has not been started");
    }
    return process;
  }

  /** Whether a start was ever complete. */
  final synchronized boolean isStarted() {
    return process != null;
  }

  /** Starts the process and waits until the server is ready. */
  abstract ServerProcess launch();

  /** Called before the process is stopped or killed; does nothing by default. */
  void beforeEnd() {}

  /**
   * The process id, for memory and signals.
   *
   * @return the process id
   */
  public final synchronized long pid() {
    return process().pid();
  }

  /**
   * Whether the process is alive.
   *
   * @return true while it is alive
   */
  public final synchronized boolean isAlive() {
    return process().isAlive();
  }

  /**
   * The end of the server's log.
   *
   * @return some lines
   */
  public final synchronized String logTail() {
    return process().logTail();
  }

  /** Stops the server cleanly. A TSD needs a running HBase to stop, so stop TSDs first. */
  public final synchronized void stop() {
    beforeEnd();
    if (process().isAlive()) {
      process().stop();
    }
  }

  /** Kills the server like a crash. HBase loses unflushed data. */
  public final synchronized void kill() {
    beforeEnd();
    beforeKill(process());
    process().kill();
  }

  /** Called before the process is killed; does nothing by default. */
  void beforeKill(ServerProcess dying) {}

  /** Suspends the server (SIGSTOP): requests hang until {@link #resume()}. */
  public final synchronized void suspend() {
    process().suspend();
  }

  /** Resumes the server after {@link #suspend()}. */
  public final synchronized void resume() {
    process().resume();
  }

  @Override
  public final void close() {
    stop();
  }
}
