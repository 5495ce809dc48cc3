package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.write.WalMode;
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
              + " region server. async: the rows of the last second or so may not. skip: those"
              + " since the last flush do not; the table is flushed at the end. After the death of"
              + " a region server run verify, and load again what is missing. Default:"
              + " ${DEFAULT-VALUE}.")
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

  @Option(
      names = "--cell-timestamp",
      paramLabel = "now|data|MILLIS",
      description =
          "HBase timestamp of the cells. now: the start of the load. data: the newest point of the"
              + " row, which tables with tsd.storage.use_otsdb_timestamp need. Or milliseconds"
              + " since the epoch. Default: now, and data where that key is true.")
  String cellTimestamp;

  @Option(
      names = "--on-conflict",
      paramLabel = "fail|first|last|max",
      description =
          "What becomes of two values for one instant, in the input or in the table. fail: the load"
              + " stops there. first: what came first, what is stored before all. last, max."
              + " Default: as the TSD reads: fail; last with tsd.storage.fix_duplicates; max with"
              + " use_otsdb_timestamp and use_max_value.")
  OnConflict onConflict;

  @Option(
      names = "--allow-active-hours",
      description =
          "Load also into hours that TSDs may still write, and compact, at the same moment: the"
              + " present one and those that ended less than an hour ago. Points may be lost.")
  boolean allowActiveHours;

  @Option(
      names = "--no-create",
      description = "Assign no UIDs: points with an unknown name are rejected.")
  boolean noCreate;

  @Option(
      names = "--meta",
      description =
          "Write rows of tsdb-meta (ts_meta, ts_ctr) for series that have none: no TSD does it for"
              + " loaded points.")
  boolean meta;
}
