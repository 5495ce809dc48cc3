package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.read.HFileIndex;
import io.tsdbsuite.hbase.read.KeySample;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks row keys of a data table against the configuration. With a wrong salt width or UID width,
 * base times are decoded from the wrong bytes: no row is in the window, and nothing fails.
 *
 * <p>A valid table may contain some keys that match no configuration, such as foreign rows or rows
 * of former salt buckets. So the configuration is wrong only if no key matches: none of the first
 * and last keys of the HFiles, and none of some more keys inside a few of them. Rows of global
 * annotations have no series and are ignored.
 */
public final class SchemaCheck implements BiConsumer<SnapshotFile, HFileIndex> {
  /** 2000-01-01T00:00:00Z. */
  private static final long EARLIEST = 946684800;

  /** Allowed distance into the future, in seconds, because some clients write future points. */
  private static final long MARGIN = 366L * 86400;

  /** Number of files or keys to examine when the first and last keys of the files do not match. */
  private static final int FEW = 16;

  private final Snapshot snapshot;
  private final StorageSchema schema;
  private final RowKey rowKey;
  private final long earliest;
  private final long latest;
  private final List<SnapshotFile> suspects = new ArrayList<>();
  private boolean fits;
  private @Nullable String misfit;

  /**
   * @param from start of the window, seconds since the epoch; always a plausible base time
   * @param to end of the window, seconds since the epoch
   */
  public SchemaCheck(Snapshot snapshot, StorageSchema schema, long from, long to) {
    this.snapshot = snapshot;
    this.schema = schema;
    this.rowKey = new RowKey(schema);
    this.earliest = Math.min(EARLIEST, from);
    this.latest = Math.max(snapshot.creationTime() / 1000 + MARGIN, to);
  }

  /** Records the first and last key of a file; called by any thread. */
  @Override
  public synchronized void accept(SnapshotFile file, HFileIndex index) {
    byte[] first = index.firstRow();
    byte[] last = index.lastRow();
    if (fits || first == null || last == null) {
      return;
    }
    look(first, file);
    look(last, file);
    if (suspects.size() < FEW) {
      suspects.add(file);
    }
  }

  /**
   * Decides, after all files are recorded. If there are none, it opens a few files of any region;
   * missing or corrupt files are skipped, because the run may not need them.
   *
   * @throws JobException usage, when no key matches; outside, when storage fails
   */
  public void require() {
    if (suspects.isEmpty() && !fits) {
      takeAny();
    }
    for (SnapshotFile file : suspects) {
      if (!fits) {
        lookInto(file);
      }
    }
    if (!fits && misfit != null) {
      throw JobException.usage(misfit);
    }
  }

  private void takeAny() {
    List<SnapshotRegion> filled =
        snapshot.regions().stream().filter(region -> !region.storeFiles().isEmpty()).toList();
    int step = Math.max(1, filled.size() / FEW);
    List<SnapshotRegion> some = new ArrayList<>();
    for (int i = 0; i < filled.size(); i += step) {
      some.add(filled.get(i));
    }
    StoreFileResolver resolver = new StoreFileResolver(snapshot);
    List<Boolean> unused =
        RegionTasks.run(
            snapshot.name(),
            some,
            region -> {
              try {
                for (SnapshotFile file : resolver.resolve(region)) {
                  take(file);
                }
                return true;
              } catch (StorageException e) {
                return false;
              }
            });
  }

  private void take(SnapshotFile file) throws IOException {
    ReadTracker tracker = new ReadTracker();
    try {
      accept(file, HFileIndex.read(source(), file, tracker));
    } catch (IOException | RuntimeException e) {
      if (tracker.hasStorageFailed()) {
        throw e;
      }
    }
  }

  private ReadSource source() {
    return ReadSource.of(snapshot);
  }

  private void lookInto(SnapshotFile file) {
    ReadTracker tracker = new ReadTracker();
    try {
      KeySample.read(source(), file, FEW, tracker).forEach(row -> look(row, file));
    } catch (IOException | RuntimeException e) {
      if (tracker.hasStorageFailed()) {
        throw JobException.outside(
            "HFile " + file.path() + " could not be read: " + e.getMessage(), e);
      }
    }
  }

  private void look(byte[] row, SnapshotFile file) {
    if (fits || rowKey.isGlobalAnnotation(row, 0, row.length)) {
      return;
    }
    String problem = problem(row);
    if (problem == null) {
      fits = true;
    } else if (misfit == null) {
      misfit = text(row, file, problem);
    }
  }

  private @Nullable String problem(byte[] row) {
    KeyProblem problem = rowKey.check(row, 0, row.length);
    if (problem != null) {
      return problem.rule();
    }
    long time = rowKey.baseTime(row, 0);
    return time >= earliest && time <= latest
        ? null
        : "base time must be from "
            + Instant.ofEpochSecond(earliest)
            + " to "
            + Instant.ofEpochSecond(latest);
  }

  private String text(byte[] row, SnapshotFile file, String problem) {
    return "the TSD configuration does not belong to snapshot '"
        + snapshot.name()
        + "' of table "
        + snapshot.table()
        + ": none of the row keys that were looked at fits it, for example "
        + HexFormat.of().formatHex(row)
        + " in HFile "
        + file.path()
        + ", which would be "
        + parts(row)
        + ": "
        + problem
        + "; compare tsd.storage.salt.width ("
        + schema.saltWidth()
        + "), tsd.storage.salt.buckets ("
        + schema.saltBuckets()
        + ") and tsd.storage.uid.width.metric, .tagk, .tagv ("
        + schema.metricWidth()
        + ", "
        + schema.tagkWidth()
        + ", "
        + schema.tagvWidth()
        + ") with those of the TSDs that write the table";
  }

  /** Describes the fields of a key under this configuration. */
  private String parts(byte[] row) {
    if (row.length < rowKey.tagsOffset()) {
      return row.length + " bytes of at least " + rowKey.tagsOffset();
    }
    HexFormat hex = HexFormat.of();
    String salt =
        schema.saltWidth() == 0
            ? "no salt"
            : "salt " + hex.formatHex(row, 0, rowKey.metricOffset());
    return salt
        + ", metric UID "
        + hex.formatHex(row, rowKey.metricOffset(), rowKey.timeOffset())
        + ", base time "
        + rowKey.baseTime(row, 0)
        + " ("
        + Instant.ofEpochSecond(rowKey.baseTime(row, 0))
        + ") and "
        + (row.length - rowKey.tagsOffset())
        + " bytes of tag pairs of "
        + rowKey.pairWidth();
  }
}
