package io.tsdbsuite.nightly.process;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.NativeText;
import io.tsdbsuite.job.cli.Problems;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The child processes of the runs of a state directory. Each has a mark on its command line, so
 * that a run finds the children of a run before it that was killed: two jobs for one day would
 * write one report.
 */
public final class Children {
  /**
   * A child process that has ended.
   *
   * @param status its exit status; 128 and the number of the signal that ended it
   * @param started time when it was started, by the clock of the system
   */
  public record Run(int status, Instant started) {}

  private static final long GRACE_SECONDS = 10;

  /** Name of the mark: a setting of Spark, because spark-submit takes no others. */
  private static final String MARK = "spark.tsdbsuite.nightly";

  /** What a marked process executes: Java, or a script that starts it. */
  private static final Set<String> PROGRAMS = Set.of("java", "env", "sh", "dash", "bash");

  private final Path stateDir;
  private final Path logs;

  /**
   * @param stateDir the directory whose lock this process has
   */
  public Children(Path stateDir) {
    this.stateDir = stateDir;
    this.logs = stateDir.resolve("logs");
  }

  /** The mark, {@code key=value}; every command must have it after {@code --conf} or {@code -D}. */
  public String mark() {
    return MARK + "=" + owner();
  }

  /** The number that marks what the runs of the directory have made. */
  public String owner() {
    return StateDirectory.owner(stateDir, StateDirectory.host());
  }

  /** The log file of a step. */
  public Path log(String step) {
    return logs.resolve(step + ".log");
  }

  /**
   * Runs a command to its end. What it prints replaces the log file of the step.
   *
   * @param step name of the log file
   * @throws JobException usage, if the command cannot be started
   */
  public Run run(String step, List<String> command) {
    Problems problems = new Problems();
    command.forEach(word -> NativeText.requireWritable(problems, "the command of " + step, word));
    problems.throwIfAny();
    // By the clock of the system, which children write into their reports.
    Instant started = Instant.now();
    Process process;
    try {
      Files.createDirectories(logs);
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log(step).toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
    } catch (IOException e) {
      throw JobException.usage(step + " cannot be started: " + StorageFailures.reason(e), e);
    }
    try {
      return new Run(process.waitFor(), started);
    } catch (InterruptedException e) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      Thread.currentThread().interrupt();
      throw JobException.outside(step + " was interrupted", e);
    }
  }

  /**
   * Ends the children that a killed run has left: first politely, after 10 s by force.
   *
   * @return their ids
   * @throws JobException outside, if one cannot be ended
   */
  public List<Long> endOrphans() {
    List<ProcessHandle> orphans = new ArrayList<>();
    for (ProcessHandle marked : marked(mark())) {
      marked.descendants().forEach(orphans::add);
      orphans.add(marked);
    }
    orphans.forEach(ProcessHandle::destroy);
    for (ProcessHandle orphan : orphans) {
      if (!ends(orphan)) {
        orphan.destroyForcibly();
        if (!ends(orphan)) {
          throw JobException.outside(
              "process " + orphan.pid() + ", of a run that was killed, cannot be ended");
        }
      }
    }
    return orphans.stream().map(ProcessHandle::pid).distinct().toList();
  }

  private static boolean ends(ProcessHandle process) {
    try {
      process.onExit().get(GRACE_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (java.util.concurrent.TimeoutException e) {
      return false;
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted while a child of a killed run was ended", e);
    }
  }

  /** Other processes with the mark, by Linux's list of processes; elsewhere none are found. */
  private static List<ProcessHandle> marked(String mark) {
    Path all = Path.of("/proc");
    if (!Files.isDirectory(all)) {
      return List.of();
    }
    try (Stream<Path> processes = Files.list(all)) {
      return processes
          .filter(process -> process.getFileName().toString().matches("\\d+"))
          .filter(process -> hasMark(process, mark))
          .map(process -> ProcessHandle.of(Long.parseLong(process.getFileName().toString())))
          .flatMap(Optional::stream)
          .filter(process -> process.pid() != ProcessHandle.current().pid())
          .toList();
    } catch (IOException e) {
      throw JobException.outside(
          "the list of processes cannot be read: " + StorageFailures.reason(e), e);
    }
  }

  private static boolean hasMark(Path process, String mark) {
    try {
      String line =
          new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8);
      return isMarked(List.of(line.split("\0", -1)), mark) && PROGRAMS.contains(program(process));
    } catch (IOException e) {
      // It has ended, or it is another user's.
      return false;
    }
  }

  private static boolean isMarked(List<String> words, String mark) {
    int at = words.indexOf(mark);
    return (at > 0 && words.get(at - 1).equals("--conf")) || words.contains("-D" + mark);
  }

  /** Name of the file that a process executes; after an upgrade the old file is deleted. */
  private static String program(Path process) throws IOException {
    Path file = Files.readSymbolicLink(process.resolve("exe")).getFileName();
    return file == null ? "" : file.toString().replaceFirst(" \\(deleted\\)$", "");
  }
}
