package io.tsdbsuite.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process of a program under test; its standard output and error go to one file. */
final class Program implements AutoCloseable {
  private static final int MINUTES = 8;

  private final Process process;
  private final Path log;

  private Program(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** A finished program. */
  record Outcome(int exitCode, String output) {}

  /**
   * Starts a program.
   *
   * @param directory its working directory, which gets the log
   * @param environment variables beside those of this JVM
   */
  static Program start(Path directory, Map<String, String> environment, List<String> command) {
    try {
      Path log = Files.createTempFile(directory, "program-", ".log");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().remove("SPARK_HOME");
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.environment().putAll(environment);
      return new Program(builder.start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it has said until now. */
  String output() {
    try {
      return Files.readString(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for its end. */
  Outcome await() throws InterruptedException {
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      close();
      throw new AssertionError("it does not end: " + log);
    }
    return new Outcome(process.exitValue(), output());
  }

  /** Kills it with all that it has started. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
