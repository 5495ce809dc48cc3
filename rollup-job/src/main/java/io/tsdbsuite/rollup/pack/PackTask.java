package io.tsdbsuite.rollup.pack;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.RegionHFiles;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.rollup.compute.MetricSelector;
import io.tsdbsuite.rollup.hfile.RunDir;
import io.tsdbsuite.rollup.hfile.TargetTable;
import io.tsdbsuite.rollup.pack.PackBooks.Count;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.spark.WorkFailures;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.io.Serializable;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Packs the rows of one region of the packed table, which it writes to one HFile. Rows of both
 * tables have the same keys in the same order: nothing is sorted.
 *
 * @param root of the snapshots
 * @param plain family of the plain table
 * @param packed family of the packed table
 * @param floors of the metrics
 * @param names of metrics, if there are floors
 * @param from begin of the window, seconds since the epoch
 * @param to its end
 * @param target null if nothing is written
 * @param dir of the files of this run
 * @param run names the files
 */
record PackTask(
    Broadcast<SerializableConfiguration> conf,
    String root,
    SnapshotFamily plain,
    SnapshotFamily packed,
    StorageSchema schema,
    RollupConfig config,
    RollupInterval interval,
    RawFloors floors,
    UidNames names,
    long from,
    long to,
    boolean deleteCorrupt,
    @Nullable TargetTable target,
    String dir,
    String run)
    implements Function<PackTask.Region, PackTask.Result> {
  private static final long serialVersionUID = 1L;

  /**
   * A region of the packed table.
   *
   * @param plain parts of the plain table with the same keys, in their order
   */
  record Region(int number, RegionPart packed, List<RegionPart> plain) implements Serializable {}

  /**
   * What was done.
   *
   * @param files names of the HFiles
   * @param parts the file of its {@link PartList}; empty if nothing was to be written
   */
  record Result(PackBooks books, List<String> files, String parts) implements Serializable {}

  @Override
  public Result call(Region region) {
    PackBooks books = new PackBooks();
    try {
      if (target == null) {
        pack(region, books, null, null);
        return new Result(books, List.of(), "");
      }
      String label = "r" + region.number() + "-a" + TaskContext.get().taskAttemptId();
      Path list = new Path(RunDir.of(dir, run), "parts-" + label);
      try (HFileDir files = files(hadoop(), dir, target.name(), run);
          RegionHFiles hfiles =
              new RegionHFiles(
                  files, label, target.layout(), Long.MAX_VALUE, InstantSource.system());
          PartList.Writer parts = new PartList.Writer(files.files().create(list, true))) {
        pack(region, books, hfiles, parts);
        hfiles.end();
        parts.end();
        return new Result(books, hfiles.finished(), list.toString());
      }
    } catch (IOException e) {
      throw WorkFailures.of(e);
    }
  }

  private Configuration hadoop() {
    return conf.value().value();
  }

  /** The HFiles of a table. */
  static HFileDir files(Configuration conf, String dir, String table, String run)
      throws IOException {
    String path = RunDir.table(RunDir.of(dir, run), table).toString();
    return new HFileDir(conf, path, RowKey.FAMILY, RunDir.prefix(run));
  }

  private void pack(
      Region region,
      PackBooks books,
      @Nullable RegionHFiles hfiles,
      PartList.@Nullable Writer parts)
      throws IOException {
    RowWindow window =
        new RowWindow(schema, interval.baseTime(from), interval.baseTime(to - 1) + 1);
    RowFold fold = new RowFold(config, interval, deleteCorrupt, books);
    RowKey rowKey = new RowKey(schema);
    MetricSelector selector = new MetricSelector(MetricPatterns.all(), floors, names);
    try (TableRows plainRows =
            new TableRows(ReadSource.of(hadoop(), root, plain), region.plain(), window);
        TableRows packedRows =
            new TableRows(
                ReadSource.of(hadoop(), root, packed), List.of(region.packed()), window)) {
      boolean hasPlain = plainRows.next();
      boolean hasPacked = packedRows.next();
      while (hasPlain || hasPacked) {
        int order = hasPlain ? -1 : 1;
        if (hasPlain && hasPacked) {
          order = Arrays.compareUnsigned(plainRows.key(), packedRows.key());
        }
        byte[] key = order <= 0 ? plainRows.key() : packedRows.key();
        fold.begin(key);
        if (order <= 0) {
          plainRows.read(fold.plain);
          hasPlain = plainRows.next();
          books.add(Count.PLAIN_ROWS, 1);
        }
        if (order >= 0) {
          packedRows.read(fold.packed);
          hasPacked = packedRows.next();
          books.add(Count.PACKED_ROWS, 1);
        }
        String problem = problem(rowKey, key);
        if (!problem.isEmpty()) {
          books.add(Count.MALFORMED_ROWS, 1);
          books.sample("row " + HexFormat.of().formatHex(key) + ": " + problem);
          continue;
        }
        long base = rowKey.baseTime(key, 0);
        if (base < selector.floor(rowKey.metricUid(key, 0))) {
          books.add(Count.BELOW_FLOOR_ROWS, 1);
          continue;
        }
        List<Cell> cells = fold.end(base);
        if (hfiles != null && !cells.isEmpty()) {
          hfiles.append(cells);
        }
        if (parts != null) {
          parts.row(key, fold.proof());
        }
      }
    }
  }

  /** Why no row of the interval has the key; empty if one has. */
  private String problem(RowKey rowKey, byte[] key) {
    KeyProblem broken = rowKey.check(key, 0, key.length);
    // Also a row of another bucket is one row of both tables.
    if (broken != null && broken != KeyProblem.WRONG_SALT) {
      return broken.rule();
    }
    long base = rowKey.baseTime(key, 0);
    return base == interval.baseTime(base)
        ? ""
        : "base time must be the start of " + interval.rowSpan() + ", found " + base;
  }
}
