package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.job.cli.Problems;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of writing. */
final class WriteOptions {
  @Option(
      names = "--mode",
      paramLabel = "put|hfile",
      defaultValue = "put",
      description =
          "put: puts through the region servers. hfile: HFiles cut at region boundaries, then"
              + " HBase's bulk load. Default: ${DEFAULT-VALUE}.")
  Mode mode = Mode.PUT;

  @Option(
      names = "--wal",
      paramLabel = "sync|async|skip",
      defaultValue = "async",
      description =
          "Write-ahead log of --mode put. sync: acknowledged rows survive a crash of their region"
              + " server. async: the log is written later, with a sync at each checkpoint; if a"
              + " region server ends during the load or before a resume, all rows written so far"
              + " are compared with the table and missing ones are written again. skip: no log; the"
              + " table is flushed at the end, and the load fails if a region server has ended."
              + " Default: ${DEFAULT-VALUE}.")
  WalMode wal = WalMode.ASYNC;

  @Option(
      names = "--max-rows-per-second",
      paramLabel = "N",
      defaultValue = "0",
      description = "Rate limit of --mode put; 0 for none. Default: ${DEFAULT-VALUE}.")
  long maxRowsPerSecond;

  @Option(
      names = "--hfile-dir",
      paramLabel = "URI",
      description =
          "Directory of the HFiles of --mode hfile, on HBase's own file system: there the bulk load"
              + " renames them, elsewhere HBase copies them.")
  @Nullable String hfileDir;

  @Mixin RowOptions rows = new RowOptions();

  /** How the rows are written. */
  WriteSettings read(@Nullable TsdSettings tsd, Invocation invocation) {
    Problems problems = invocation.problems();
    problems.atLeast("--max-rows-per-second", maxRowsPerSecond, 0);
    if (mode == Mode.HFILE) {
      problems.require("--hfile-dir (with --mode hfile)", hfileDir);
      if (maxRowsPerSecond > 0) {
        problems.add("--max-rows-per-second is for --mode put, found: " + maxRowsPerSecond);
      }
    } else {
      problems.refuse("--hfile-dir", hfileDir, "is for --mode hfile");
    }
    return rows.read(mode, wal, maxRowsPerSecond, hfileDir, tsd, invocation);
  }
}
