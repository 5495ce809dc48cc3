package io.tsdbsuite.testkit;

import io.tsdbsuite.testkit.server.Launcher;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One child JVM that runs a launcher: the parent's side of {@link Launcher}'s protocol. */
final class ServerProcess {
  private static final int LOG_TAIL_BYTES = 6000;

  /**
   * A terminal sends Ctrl-C to all its processes. The servers must ignore it, because the parent
   * handles it and stops them in order. A JVM that is started with an ignored signal keeps ignoring
   * it.
   */
  private static final List<String> DEAF_TO_TERMINAL =
      List.of("/bin/sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh");

  private final String name;
  private final Process process;
  private final Path log;
  private final Map<String, String> ready;
  private boolean suspended;

  private ServerProcess(String name, Process process, Path log, Map<String, String> ready) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.ready = ready;
  }

  /**
   * Starts a child and waits for its READY line.
   *
   * @param kind kind of server
   * @param name name in messages, and of the log {@code <name>.log}
   * @param dir its working directory, created if it does not exist
   * @param extraClassPath before the server's own class path, for plugins
   * @param arguments the launcher's arguments
   * @param timeout maximum time of the start
   * @throws ServerException with the end of the log when it does not start
   */
  static ServerProcess start(
      ServerKind kind,
      String name,
      Path dir,
      List<Path> extraClassPath,
      Map<String, String> arguments,
      Duration timeout) {
    Path log = dir.resolve(name + ".log");
    Process process;
    List<String> command = new ArrayList<>(DEAF_TO_TERMINAL);
    try {
      command.addAll(kind.command(dir, extraClassPath));
      command.add(kind.mainClass());
      arguments.forEach((key, value) -> command.add(key + "=" + value));
      process =
          builder(kind, command, dir)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " could not be started", e);
    }
    CompletableFuture<Map<String, String>> ready = new CompletableFuture<>();
    Thread reader = new Thread(() -> readProtocol(process, ready), name + "-stdout");
    reader.setDaemon(true);
    reader.start();
    boolean serves = false;
    try {
      Map<String, String> values = ready.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      serves = true;
      return new ServerProcess(name, process, log, values);
    } catch (ExecutionException e) {
      int rc = waitFor(process);
      throw new ServerException(
          name + " ended with exit code " + rc + " while it started; end of its log:\n" + tail(log),
          e.getCause());
    } catch (TimeoutException e) {
      process.destroyForcibly();
      waitFor(process);
      throw new ServerException(
          "%s did not start within %s s; end of its log:\n%s"
              .formatted(name, timeout.toSeconds(), tail(log)),
          e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while " + name + " started", e);
    } finally {
      ClassArchive.started(command, serves);
    }
  }

  private static ProcessBuilder builder(ServerKind kind, List<String> command, Path dir) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
    // The options of the test JVM are not for the servers.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("CLASSPATH");
    builder.environment().putAll(kind.environment());
    return builder;
  }

  /**
   * Runs a program of a server's class path until it exits.
   *
   * @param kind kind of server with the class path and flags
   * @param dir its working directory
   * @param program flags of the JVM, the main class and its arguments
   * @param timeout maximum time
   * @throws ServerException when it takes longer
   */
  static ToolRun run(ServerKind kind, Path dir, List<String> program, Duration timeout) {
    try {
      List<String> command = kind.command(dir, List.of());
      command.addAll(program);
      Path output = Files.createTempFile(dir, "tool", ".log");
      Process process =
          builder(kind, command, dir)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .start();
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        throw new ServerException(
            program + " took over " + timeout.toSeconds() + " s; its output:\n" + tail(output));
      }
      ClassArchive.started(command, process.exitValue() == 0);
      return new ToolRun(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(program + " could not be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while " + program + " ran", e);
    }
  }

  /** The entries of the READY line. */
  Map<String, String> ready() {
    return ready;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The end of the log, for messages. */
  String logTail() {
    return tail(log);
  }

  /**
   * Stops the process cleanly and waits for its exit.
   *
   * @throws ServerException when it did not exit cleanly
   */
  void stop() {
    if (suspended) {
      resume();
    }
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The child has exited already; its exit code is checked below.
    }
    try {
      if (!process.waitFor(Launcher.STOP_SECONDS + 10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while " + name + " stopped", e);
    }
    if (process.exitValue() != 0) {
      throw new ServerException(
          name + " stopped with exit code " + process.exitValue() + "; log:\n" + tail(log));
    }
  }

  /** The processes that it has started, and theirs. */
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  /** Kills the process like a crash (SIGKILL) and waits for its exit. */
  void kill() {
    process.destroyForcibly();
    waitFor(process);
  }

  /** Suspends its threads like a long pause (SIGSTOP). */
  void suspend() {
    signal("STOP");
    suspended = true;
  }

  /** Resumes it (SIGCONT). */
  void resume() {
    signal("CONT");
    suspended = false;
  }

  private void signal(String signal) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
              .redirectErrorStream(true)
              .start();
      String said = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int rc = waitFor(kill);
      if (rc != 0) {
        throw new ServerException("kill -" + signal + " of " + name + " failed: " + said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void readProtocol(Process process, CompletableFuture<Map<String, String>> ready) {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.equals("READY") || line.startsWith("READY ")) {
          String[] words = line.split(" ", -1);
          ready.complete(
              Launcher.parse(List.of(words).subList(1, words.length).toArray(new String[0])));
        }
      }
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
    ready.completeExceptionally(new ServerException("standard output closed without READY"));
  }

  private static int waitFor(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted while waiting for the end of a process", e);
    }
  }

  private static String tail(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - LOG_TAIL_BYTES);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(no log: " + e + ")";
    }
  }
}
