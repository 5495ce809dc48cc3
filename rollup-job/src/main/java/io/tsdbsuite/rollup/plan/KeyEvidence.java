package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.read.HFileIndex;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.rollup.report.BooksText;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether row keys of a data table fit the configuration, as far as they were looked at. For any
 * number of threads; tasks look at the keys of their files and the driver adds what they saw.
 */
public final class KeyEvidence implements Serializable {
  private static final long serialVersionUID = 1L;

  /** 2000-01-01T00:00:00Z. */
  private static final long EARLIEST = 946684800;

  /** Allowed distance into the future, in seconds, because some clients write future points. */
  private static final long MARGIN = 366L * 86400;

  /** Number of files to examine when the first and last keys of the files do not fit. */
  private static final int FEW = 16;

  private final String snapshot;
  private final String table;
  private final StorageSchema schema;
  private final RowKey rowKey;
  private final long earliest;
  private final long latest;
  private final long from;
  private final long to;
  private final boolean anyBucket;
  private final ArrayList<SnapshotFile> suspects = new ArrayList<>();
  private boolean fits;
  private @Nullable String misfit;
  private @Nullable String misplaced;

  private KeyEvidence(
      String snapshot,
      String table,
      StorageSchema schema,
      long earliest,
      long latest,
      long from,
      long to,
      boolean anyBucket) {
    this.snapshot = snapshot;
    this.table = table;
    this.schema = schema;
    this.rowKey = new RowKey(schema);
    this.earliest = earliest;
    this.latest = latest;
    this.from = from;
    this.to = to;
    this.anyBucket = anyBucket;
  }

  /**
   * Nothing seen yet.
   *
   * @param from start of the window, seconds since the epoch; always a plausible base time
   * @param to end of the window, seconds since the epoch
   * @param anyBucket whether rows may be in another salt bucket than that of their keys
   */
  static KeyEvidence of(
      Snapshot snapshot, StorageSchema schema, long from, long to, boolean anyBucket) {
    return new KeyEvidence(
        snapshot.name(),
        snapshot.table(),
        schema,
        Math.min(EARLIEST, from),
        Math.max(snapshot.creationTime() / 1000 + MARGIN, to),
        from,
        to,
        anyBucket);
  }

  /** The same rules, and nothing seen yet. */
  public KeyEvidence none() {
    return new KeyEvidence(snapshot, table, schema, earliest, latest, from, to, anyBucket);
  }

  /** Looks at the first and last key of a file. */
  public synchronized void look(SnapshotFile file, HFileIndex index) {
    byte[] first = index.firstRow();
    byte[] last = index.lastRow();
    if (first == null || last == null) {
      return;
    }
    misplaced(first, file);
    misplaced(last, file);
    if (fits) {
      return;
    }
    look(first, file);
    look(last, file);
    if (suspects.size() < FEW) {
      suspects.add(file);
    }
  }

  /** Keeps a row of the window that is in another salt bucket than that of its key. */
  private void misplaced(byte[] row, SnapshotFile file) {
    if (misplaced == null
        && !anyBucket
        && rowKey.check(row, 0, row.length) == KeyProblem.WRONG_SALT
        && rowKey.baseTime(row, 0) >= from
        && rowKey.baseTime(row, 0) < to) {
      misplaced =
          ("row %s of table %s, in HFile %s, is in another salt bucket than that of its key"
                  + " (%s of %s); unless it is deleted or expired, %s")
              .formatted(
                  HexFormat.of().formatHex(row),
                  table,
                  file.path(),
                  rowKey.salt(row, 0, row.length),
                  schema.saltBuckets(),
                  BooksText.ANY_BUCKET);
    }
  }

  /** Looks at a key of a file. */
  synchronized void look(byte[] row, SnapshotFile file) {
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

  /** Adds what a task saw. */
  public synchronized void add(KeyEvidence seen) {
    fits |= seen.fits;
    if (misfit == null) {
      misfit = seen.misfit;
    }
    if (misplaced == null) {
      misplaced = seen.misplaced;
    }
    for (SnapshotFile file : seen.suspects) {
      if (suspects.size() < FEW) {
        suspects.add(file);
      }
    }
  }

  /** Whether a key fits; one is enough. */
  synchronized boolean fits() {
    return fits;
  }

  /** Some files with keys that do not fit. */
  synchronized List<SnapshotFile> suspects() {
    return List.copyOf(suspects);
  }

  /** A key that does not fit, with the reason; null when there was none. */
  synchronized @Nullable String misfit() {
    return misfit;
  }

  /** A row of the window in another salt bucket, with what to do; null when there was none. */
  synchronized @Nullable String misplaced() {
    return misplaced;
  }

  private @Nullable String problem(byte[] row) {
    KeyProblem problem = rowKey.check(row, 0, row.length);
    if (problem != null && !(anyBucket && problem == KeyProblem.WRONG_SALT)) {
      return problem.rule();
    }
    long time = rowKey.baseTime(row, 0);
    return time >= earliest && time <= latest
        ? null
        : "base time must be from %s to %s"
            .formatted(Instant.ofEpochSecond(earliest), Instant.ofEpochSecond(latest));
  }

  private String text(byte[] row, SnapshotFile file, String problem) {
    return "the TSD configuration does not belong to snapshot '"
        + snapshot
        + "' of table "
        + table
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
        + ") with those of the TSDs that write the table"
        + (schema.saltWidth() == 0
            ? ""
            : "; if the buckets were changed, or OpenTSDB 2.2 imported the data, --any-bucket reads"
                + " them");
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
    return "%s, metric UID %s, base time %s (%s) and %s bytes of tag pairs of %s"
        .formatted(
            salt,
            hex.formatHex(row, rowKey.metricOffset(), rowKey.timeOffset()),
            rowKey.baseTime(row, 0),
            Instant.ofEpochSecond(rowKey.baseTime(row, 0)),
            row.length - rowKey.tagsOffset(),
            rowKey.pairWidth());
  }
}
