package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.cli.Problems;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of rows. */
final class RowOptions {
  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,15}");

  @Option(
      names = "--cell-timestamp",
      paramLabel = "now|data|MILLIS",
      description =
          "HBase timestamp of the cells. now: the start of the load. data: the newest point of the"
              + " row, which tables with tsd.storage.use_otsdb_timestamp need. Or milliseconds"
              + " since the epoch. Default: now, and data where that key is true.")
  @Nullable String cellTimestamp;

  @Option(
      names = "--on-conflict",
      paramLabel = "fail|first|last|max",
      description =
          "Rule for two values of one instant, in the input or in the table. fail: the load stops."
              + " first: keep the first; a stored value comes before the input. last: keep the"
              + " last. max: keep the largest. Default: as the TSD reads: fail; last with"
              + " tsd.storage.fix_duplicates; max with use_otsdb_timestamp and use_max_value.")
  @Nullable OnConflict onConflict;

  @Option(
      names = "--allow-active-hours",
      description =
          "Also load into hours that TSDs may still write and compact: the current hour, and hours"
              + " that ended less than an hour ago. Points may be lost.")
  boolean allowActiveHours;

  @Option(
      names = "--allow-unreplicated",
      description =
          "Also load into a table with a REPLICATION_SCOPE by --mode hfile, --wal skip or"
              + " spark-load. Peers lack rows of --wal skip, and of HFiles unless"
              + " hbase.replication.bulkload.enabled is true on the region servers.")
  boolean allowUnreplicated;

  @Option(names = "--no-create", description = "Assign no UIDs; reject points with unknown names.")
  boolean noCreate;

  @Option(
      names = "--meta",
      description =
          "Write rows of tsdb-meta (ts_meta, ts_ctr) for series that have none; TSDs do not do it"
              + " for loaded points.")
  boolean meta;

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      description =
          "The coverage table, in which the load masks its days before it writes: it must exist."
              + " Default: tsdb-coverage, if it exists.")
  @Nullable String coverageTable;

  /** The settings of writing, with these of {@link WriteOptions} or of Spark. */
  WriteSettings read(
      Mode mode,
      WalMode wal,
      long maxRowsPerSecond,
      @Nullable String hfileDir,
      @Nullable TsdSettings tsd,
      Invocation invocation) {
    Problems problems = invocation.problems();
    String stamp = cellTimestamp;
    if (stamp == null) {
      stamp = tsd != null && tsd.schema().useOtsdbTimestamp() ? "data" : "now";
    } else if (MILLIS.matcher(stamp).matches()) {
      if (Long.parseLong(stamp) > invocation.clock().millis()) {
        problems.add(
            "--cell-timestamp must not lie in the future (it would hide later writes of TSDs),"
                + " found: "
                + stamp);
      }
    } else if (!stamp.equals("now") && !stamp.equals("data")) {
      problems.add(
          "--cell-timestamp must be now, data or milliseconds since the epoch, found: " + stamp);
    }
    OnConflict unlessGiven = tsd == null ? OnConflict.FAIL : asTsdReads(tsd.schema());
    if (coverageTable != null && !CoverageRows.isTableName(coverageTable)) {
      problems.add("--coverage-table must be the name of a table, found: " + coverageTable);
    }
    return new WriteSettings(
        mode,
        wal,
        maxRowsPerSecond,
        hfileDir == null ? "" : hfileDir,
        stamp,
        onConflict == null ? unlessGiven : onConflict,
        allowActiveHours,
        allowUnreplicated,
        !noCreate,
        meta,
        coverageTable == null ? "" : coverageTable);
  }

  private static OnConflict asTsdReads(StorageSchema schema) {
    if (schema.useOtsdbTimestamp()) {
      return schema.useMaxValue() ? OnConflict.MAX : OnConflict.FAIL;
    }
    return schema.fixDuplicates() ? OnConflict.LAST : OnConflict.FAIL;
  }
}
