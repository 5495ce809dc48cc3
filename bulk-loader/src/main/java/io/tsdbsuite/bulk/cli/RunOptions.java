package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.progress.ProgressMode;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.job.cli.Problems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the process. */
final class RunOptions {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final long LEAST_MEMORY = 512L << 20;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description =
          "Directory of sorted runs, the journal and rejected lines. Created if absent. Default:"
              + " bulk-load-TIME in the current directory.")
  @Nullable Path workDir;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads for reading and for writing. Default: one for each processor.")
  @Nullable Integer threads;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = MemorySize.class,
      description =
          "Memory limit of the process, for example 4g; bin/bulk-loader sizes the JVM's heap by it."
              + " More memory makes fewer and larger runs on disk. Default: a quarter of the"
              + " memory of the machine, or of its container.")
  @Nullable Long memory;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Also write the JSON report to this file. report.json in the work directory is always"
              + " written.")
  @Nullable Path report;

  @Option(
      names = "--progress",
      paramLabel = "auto|bar|plain|none",
      defaultValue = "auto",
      description =
          "bar: a progress bar. plain: a line every ten seconds. auto: bar on a terminal, else"
              + " plain. Default: ${DEFAULT-VALUE}.")
  String progress = "auto";

  @Option(
      names = "--keep-work",
      description = "Keep the sorted runs after a successful load. Default: they are deleted.")
  boolean keepWork;

  /** The settings of the process. */
  RunSettings read(Invocation invocation) {
    Problems problems = invocation.problems();
    List<String> modes =
        Arrays.stream(ProgressMode.values())
            .map(mode -> mode.name().toLowerCase(Locale.ROOT))
            .toList();
    boolean known = oneOf("--progress", progress, modes, problems);
    int count = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    problems.atLeast("--threads", count, 1);
    long heap = Runtime.getRuntime().maxMemory();
    if (memory != null && memory < LEAST_MEMORY) {
      problems.add("--memory must be 512m or more, found: " + memory + " bytes");
    } else if (memory != null && memory < heap) {
      problems.add(
          ("--memory must not be less than the JVM's heap of %s bytes (-Xmx;"
                  + " bin/bulk-loader sets it), found: %s")
              .formatted(heap, memory));
    }
    if (report != null) {
      ReportOutput.check("--report", report.toString(), problems);
    }
    Path directory =
        workDir == null
            ? Path.of("bulk-load-" + NAME.format(invocation.clock().instant()))
            : workDir;
    return new RunSettings(
        directory.toAbsolutePath(),
        count,
        heap / 2,
        known ? ProgressMode.valueOf(progress.toUpperCase(Locale.ROOT)) : ProgressMode.AUTO,
        report == null ? null : report.toAbsolutePath(),
        keepWork);
  }

  /** The same; a work directory below an input directory would be input from the next start on. */
  RunSettings read(InputSettings input, Invocation invocation) {
    RunSettings run = read(invocation);
    Path work = run.workDir().normalize();
    for (String name : input.inputs()) {
      if (contains(name, work)) {
        invocation
            .problems()
            .add(
                "--work-dir must not be below a directory of --input, found: %s in %s"
                    .formatted(work, name));
      }
    }
    return run;
  }

  private static boolean contains(String input, Path work) {
    try {
      Path path = Path.of(input).toAbsolutePath().normalize();
      return !input.equals("-") && Files.isDirectory(path) && work.startsWith(path);
    } catch (InvalidPathException e) {
      // No path of this machine, so nothing is below it.
      return false;
    }
  }

  /** Whether an option has one of these values, in any case. */
  static boolean oneOf(String option, String found, List<String> choices, Problems problems) {
    boolean is = choices.contains(found.toLowerCase(Locale.ROOT));
    if (!is) {
      problems.add(option + " must be one of " + String.join(", ", choices) + ", found: " + found);
    }
    return is;
  }
}
