package io.tsdbsuite.rollup.tiers.proof;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.verify.RegionNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterId;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;

/**
 * Of a day, {@link #FORMAT}: that the rollups of a day which a policy keeps longer than its raw
 * data, or than the rows of a narrower rollup table, equal these, compared in full. Of idle series,
 * {@link #IDLE}: that they have no write from a time on, in all tables; a proof for each table.
 * With {@code suite} in rollup_config.json both have formats of their own. The components are the
 * fields of the file, in its order; {@link ProofStore} has the file.
 *
 * <p>Rows of the day and the entry = {@code rows} + {@code annotatedRows} of all metrics + {@code
 * kept}.
 *
 * @param proof the format
 * @param version of rollup-job
 * @param policy the entry whose data may go
 * @param cluster id of the HBase cluster; empty if the root of the snapshots is an export
 * @param schema the keys of the TSD that decide what stored rows mean
 * @param aggregatorIds numbers of sum, min, max and count in rollup_config.json, and of the names
 *     of its {@code suite}
 * @param suite its text in one form; empty without
 * @param anyBucket whether the rows of all salt buckets were merged: a row may be stored in several
 * @param table whose rows may go: {@code raw}, or the interval of a rollup table
 * @param from start of the day, UTC; of a rollup table, of the span of its rows; of idle series
 *     1970-01-01
 * @param to start of the next one; of idle series the midnight from which on they have no write
 * @param metrics what may go, by the UID of the metric in lower-case hex, on its whole width
 * @param kept number of rows that stay as a whole, by the reason, each row by its first one
 * @param data the snapshot of the table whose rows may go
 * @param rollups the snapshots of the rollup tables, by the intervals that were compared; none if
 *     no wider interval is stored; of idle series those of all other tables, by {@code raw} or
 *     interval
 * @param verify of a day alone, else {@link Verified#NONE}
 * @param series of idle series alone, else {@link Series#NONE}; the same in all proofs of a group
 * @param provenAt time of the proof
 */
public record Proof(
    int proof,
    String version,
    Selection policy,
    String cluster,
    SortedMap<String, String> schema,
    SortedMap<String, Integer> aggregatorIds,
    String suite,
    boolean anyBucket,
    String table,
    Instant from,
    Instant to,
    SortedMap<String, Rows> metrics,
    SortedMap<String, Long> kept,
    Source data,
    Map<String, Source> rollups,
    Verified verify,
    Series series,
    Instant provenAt) {
  /** The version of the fields: of a day. */
  public static final int FORMAT = 1;

  /** The version of the fields: of idle series. */
  public static final int IDLE = 2;

  /** The same of a day, with a {@code suite}. */
  public static final int FORMAT_OF_SUITE = 3;

  /** The same of idle series, with a {@code suite}. */
  public static final int IDLE_OF_SUITE = 4;

  /**
   * The entry of the policy.
   *
   * @param entry its number, from 1
   * @param match its pattern
   * @param metrics the metrics for which it counts, as {@code --metrics}: its pattern, and with a
   *     {@code !} those of earlier entries
   * @param keepDays how long it keeps tables, by {@code raw} or interval
   * @param sha256 of the policy's file
   */
  public record Selection(
      int entry,
      String match,
      List<String> metrics,
      SortedMap<String, Integer> keepDays,
      String sha256) {}

  /**
   * What may go of a metric.
   *
   * @param rows rows that have only points, which go as a whole
   * @param annotatedRows rows that have points and annotations: of these only the points go
   * @param points of both, as stored: before duplicates are dropped; of a rollup table, cells;
   *     histograms count, too
   * @param histograms of these, those that go because the histograms of the metric's rollups have
   *     them; the file tells it if there are any
   */
  public record Rows(
      long rows,
      long annotatedRows,
      long points,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) long histograms) {
    /** Without histograms. */
    public Rows(long rows, long annotatedRows, long points) {
      this(rows, annotatedRows, points, 0);
    }

    /** Both together. */
    public Rows plus(Rows other) {
      return new Rows(
          rows + other.rows,
          annotatedRows + other.annotatedRows,
          points + other.points,
          histograms + other.histograms);
    }
  }

  /**
   * A snapshot.
   *
   * @param table its table
   * @param snapshot its name
   * @param created when it was taken
   * @param manifest SHA-256 of its {@code data.manifest}
   */
  public record Source(String table, String snapshot, Instant created, String manifest) {
    /**
     * The source of a loaded snapshot.
     *
     * @throws JobException outside, when its manifest cannot be read any more
     */
    public static Source of(Snapshot snapshot) {
      Path root = new Path(snapshot.conf().get(HConstants.HBASE_DIR));
      Path file =
          new Path(
              SnapshotDescriptionUtils.getCompletedSnapshotDir(snapshot.name(), root),
              SnapshotManifest.DATA_MANIFEST_NAME);
      return new Source(
          snapshot.table(),
          snapshot.name(),
          Instant.ofEpochMilli(snapshot.creationTime()),
          RegionNames.sha256(bytes(snapshot, file).orElseThrow()));
    }
  }

  /** The id of the cluster under whose root a snapshot is; empty if the root is an export. */
  public static String cluster(Snapshot snapshot) {
    Path root = new Path(snapshot.conf().get(HConstants.HBASE_DIR));
    Optional<byte[]> id = bytes(snapshot, new Path(root, HConstants.CLUSTER_ID_FILE_NAME));
    try {
      return id.isEmpty() ? "" : ClusterId.parseFrom(id.get()).toString();
    } catch (DeserializationException e) {
      throw JobException.badInput("the id of the cluster under " + root + " is not one", e);
    }
  }

  private static Optional<byte[]> bytes(Snapshot snapshot, Path file) {
    try (FSDataInputStream in = snapshot.fileSystem().open(file)) {
      return Optional.of(in.readAllBytes());
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw JobException.of(StorageFailures.of("snapshot '" + snapshot.name() + "', " + file, e));
    }
  }

  /**
   * The comparison.
   *
   * @param report SHA-256 of the JSON report of {@code rollup-job verify}
   * @param compared rollups that were compared
   * @param equal those that are equal: all
   */
  public record Verified(String report, long compared, long equal) {
    /** Of a proof that has compared nothing. */
    public static final Verified NONE = new Verified("", 0, 0);
  }

  /**
   * The idle series.
   *
   * @param file name of their file in the same directory
   * @param count how many they are
   * @param sha256 of the file
   */
  public record Series(String file, long count, String sha256) {
    /** Of a proof of a day. */
    public static final Series NONE = new Series("", 0, "");
  }

  /** The UIDs of the metrics whose histograms go with their rows. */
  public Set<Long> withHistograms() {
    return metrics.entrySet().stream()
        .filter(each -> each.getValue().histograms > 0)
        .map(each -> Long.parseUnsignedLong(each.getKey(), 16))
        .collect(Collectors.toSet());
  }

  /** Whether it is of idle series, not of a day. */
  public boolean ofIdleSeries() {
    return proof == IDLE || proof == IDLE_OF_SUITE;
  }

  /** Hash of the fields, 64 hex digits: the last field of the file. */
  public String sha256() {
    return ProofStore.hash(this);
  }

  /** Name of its file, which a later proof of the same day and metrics replaces. */
  public String fileName() {
    return ofIdleSeries()
        ? ProofStore.idleName(table, to, policy.metrics())
        : ProofStore.name(table, from, policy.metrics());
  }
}
