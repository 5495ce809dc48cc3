package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.write.WalMode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How rows are written. */
final class WriteOptions {
  @Option(
      names = "--mode",
      paramLabel = "put|hfile",
      defaultValue = "put",
      description =
          "put: into a live table, through its region servers. hfile: HFiles cut at region"
              + " boundaries, then HBase's bulk load. Default: ${DEFAULT-VALUE}.")
  Mode mode = Mode.PUT;

  @Option(
      names = "--wal",
      paramLabel = "sync|async|skip",
      defaultValue = "async",
      description =
          "Write-ahead log of --mode put. sync: an acknowledged row survives the death of its"
              + " region server. async: the log follows, with a sync at each checkpoint; if a"
              + " region server ends meanwhile, also before a resume, all rows written so far are"
              + " compared with the table and written again where they are missing. skip: rows"
              + " since the last flush do not survive; the table is flushed at the end, and the"
              + " load fails if a region server ended. Default: ${DEFAULT-VALUE}.")
  WalMode wal = WalMode.ASYNC;

  @Option(
      names = "--max-rows-per-second",
      paramLabel = "N",
      defaultValue = "0",
      description = "Upper bound for --mode put; 0 for none. Default: ${DEFAULT-VALUE}.")
  long maxRowsPerSecond;

  @Option(
      names = "--hfile-dir",
      paramLabel = "URI",
      description =
          "Directory of --mode hfile on HBase's own file system, where HBase can take files over by"
              + " renaming; elsewhere it copies them.")
  String hfileDir;

  @Mixin RowOptions rows = new RowOptions();
}
