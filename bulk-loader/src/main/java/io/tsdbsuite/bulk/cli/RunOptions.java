package io.tsdbsuite.bulk.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** With what means. */
final class RunOptions {
  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description =
          "Where sorted runs, the journal and rejected lines are kept. Made if absent."
              + " Default: bulk-load-TIME in the current"
              + " directory.")
  Path workDir;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that read and that write. Default: one for each processor.")
  Integer threads;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = MemorySize.Converter.class,
      description =
          "What the process may take, for example 4g; bin/bulk-loader sets the JVM's heap by it."
              + " More memory, fewer and larger runs on disk. Default: a quarter of the machine's.")
  MemorySize memory;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the report as JSON there too; report.json in the work directory anyway.")
  Path report;

  @Option(
      names = "--progress",
      paramLabel = "auto|bar|plain|none",
      defaultValue = "auto",
      description =
          "A bar on a terminal, a line now and then in a log (auto), or as told. Default:"
              + " ${DEFAULT-VALUE}.")
  String progress = "auto";

  @Option(
      names = "--keep-work",
      description = "Keep the sorted runs after a load that is done. Default: they are deleted.")
  boolean keepWork;
}
