package io.tsdbsuite.testkit;

/**
 * A server in a JVM of its own that can be stopped, killed, frozen and started again. All methods
 * may be called from any thread.
 */
public abstract sealed class ManagedServer implements AutoCloseable
    permits HBaseServer, KafkaServer, S3Server, TsdServer {
  private ServerProcess process;

  /**
   * Starts it again after {@link #stop()} or {@link #kill()}: same ports, same files.
   *
   * @throws ServerException with the end of the log when it does not start
   */
  public final synchronized void start() {
    process = launch();
  }

  /** Starts the process and waits until the server can be used. */
  abstract ServerProcess launch();

  /** Called before the process is stopped or killed; does nothing by default. */
  void beforeEnd() {}

  /**
   * The process, for memory and signals.
   *
   * @return its id
   */
  public final synchronized long pid() {
    return process.pid();
  }

  /**
   * Whether the process is there.
   *
   * @return true while it is
   */
  public final synchronized boolean isAlive() {
    return process.isAlive();
  }

  /**
   * The end of its log: warnings are there.
   *
   * @return some lines
   */
  public final synchronized String logTail() {
    return process.logTail();
  }

  /** Stops it cleanly. TSDs need a living HBase for that: stop them first. */
  public final synchronized void stop() {
    beforeEnd();
    if (process.isAlive()) {
      process.stop();
    }
  }

  /** Ends it at once, as a crash would. What HBase has not flushed is lost. */
  public final synchronized void kill() {
    beforeEnd();
    process.kill();
  }

  /** Freezes it (SIGSTOP): requests hang until {@link #resume()}. */
  public final synchronized void suspend() {
    process.suspend();
  }

  /** Lets it go on after {@link #suspend()}. */
  public final synchronized void resume() {
    process.resume();
  }

  @Override
  public final void close() {
    stop();
  }
}
