package io.tsdbsuite.bulk.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the process. */
final class RunOptions {
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
      converter = MemorySize.Converter.class,
      description =
          "Memory limit of the process, for example 4g; bin/bulk-loader sizes the JVM's heap by it."
              + " More memory makes fewer and larger runs on disk. Default: a quarter of the"
              + " machine's memory.")
  @Nullable MemorySize memory;

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
}
