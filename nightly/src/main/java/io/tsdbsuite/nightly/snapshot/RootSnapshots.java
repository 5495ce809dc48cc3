package io.tsdbsuite.nightly.snapshot;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.storage.FileSystems;
import io.tsdbsuite.planner.due.DueRule;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos;
import org.apache.hadoop.hbase.snapshot.CorruptedSnapshotException;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The snapshots below a root directory, of exports or of HBase: {@code .hbase-snapshot/NAME}. An
 * export puts this directory in place last, so it is finished when both of its files are there. A
 * failure because of a missing Kerberos ticket or right is usage.
 */
public final class RootSnapshots {
  private static final String EXPORTING = ".tmp";

  /** HDFS has lost all replicas of a block. */
  private static final String LOST_BLOCK = "BlockMissingException";

  private final Configuration hadoop;
  private final Path directory;
  private final SnapshotKind kind;

  /**
   * @param root a URI with its scheme
   */
  public RootSnapshots(Configuration hadoop, String root, SnapshotKind kind) {
    this.hadoop = hadoop;
    this.directory = new Path(root, HConstants.SNAPSHOT_DIR_NAME);
    this.kind = kind;
  }

  /**
   * The nights below the root. A snapshot whose files are corrupt does not count.
   *
   * @param corrupt takes a message for each corrupt snapshot
   * @throws JobException outside, if the storage fails
   */
  public List<NightSnapshots> nights(Consumer<String> corrupt) {
    try {
      FileSystem files = FileSystems.of(directory, hadoop);
      List<FoundSnapshot> found = new ArrayList<>();
      for (FileStatus dir : list(files)) {
        String name = dir.getPath().getName();
        boolean ours =
            kind.pattern().date(kind.dataTable(), name).isPresent()
                || kind.pattern().date(kind.uidTable(), name).isPresent();
        if (ours) {
          try {
            find(files, dir.getPath()).ifPresent(found::add);
          } catch (CorruptedSnapshotException e) {
            if (!isCorrupt(e)) {
              throw e;
            }
            corrupt.accept(
                "snapshot %s is corrupt and was skipped, delete it: %s"
                    .formatted(dir.getPath(), StorageFailures.reason(e)));
          }
        }
      }
      return kind.nights(found);
    } catch (IOException e) {
      throw FileSystems.failed("the snapshots in " + directory + " cannot be read", e);
    }
  }

  private FileStatus[] list(FileSystem files) throws IOException {
    try {
      return files.listStatus(directory);
    } catch (FileNotFoundException e) {
      // Made with the first snapshot.
      return new FileStatus[0];
    }
  }

  /**
   * A finished snapshot; empty also if its files are corrupt.
   *
   * @throws JobException outside, if the storage fails
   */
  public Optional<FoundSnapshot> find(String name) {
    try {
      return find(FileSystems.of(directory, hadoop), new Path(directory, name));
    } catch (CorruptedSnapshotException e) {
      if (isCorrupt(e)) {
        return Optional.empty();
      }
      throw FileSystems.failed("snapshot " + name + " in " + directory + " cannot be read", e);
    } catch (IOException e) {
      throw FileSystems.failed("snapshot " + name + " in " + directory + " cannot be read", e);
    }
  }

  private static Optional<FoundSnapshot> find(FileSystem files, Path dir) throws IOException {
    if (!files.exists(new Path(dir, SnapshotManifest.DATA_MANIFEST_NAME))
        || !files.exists(new Path(dir, SnapshotDescriptionUtils.SNAPSHOTINFO_FILE))) {
      return Optional.empty();
    }
    SnapshotProtos.SnapshotDescription info = SnapshotDescriptionUtils.readSnapshotInfo(files, dir);
    if (info.getTable().isEmpty()) {
      throw new CorruptedSnapshotException(
          dir + " names no table", new InvalidProtocolBufferException("no table"));
    }
    return Optional.of(
        new FoundSnapshot(
            dir.getName(),
            TableName.valueOf(info.getTable()).getNameAsString(),
            Instant.ofEpochMilli(info.getCreationTime())));
  }

  /**
   * Whether an export of a snapshot has begun and not ended: it runs, or it was broken off.
   *
   * @throws JobException outside, if the storage fails
   */
  public boolean isHalf(String name) {
    try {
      FileSystem files = FileSystems.of(directory, hadoop);
      return files.exists(new Path(new Path(directory, EXPORTING), name))
          || (files.exists(new Path(directory, name)) && find(name).isEmpty());
    } catch (IOException e) {
      throw FileSystems.failed("snapshot " + name + " in " + directory + " cannot be read", e);
    }
  }

  /**
   * The TTL of the data table when a snapshot was taken; empty if its data never expire.
   *
   * @throws JobException outside, if the storage fails
   */
  public Optional<Duration> ttl(NightSnapshots night) {
    try {
      FileSystem files = FileSystems.of(directory, hadoop);
      Path dir = new Path(directory, night.night().dataSnapshot());
      SnapshotManifest manifest =
          SnapshotManifest.open(
              hadoop, files, dir, SnapshotDescriptionUtils.readSnapshotInfo(files, dir));
      return ttl(manifest.getTableDescriptor());
    } catch (IOException e) {
      throw FileSystems.failed(
          "the manifest of %s in %s cannot be read"
              .formatted(night.night().dataSnapshot(), directory),
          e);
    }
  }

  /** The least TTL of a table's families; empty if the data of all never expire. */
  static Optional<Duration> ttl(TableDescriptor table) {
    return DueRule.ttl(
        Arrays.stream(table.getColumnFamilies()).mapToInt(ColumnFamilyDescriptor::getTimeToLive));
  }

  /**
   * Whether corrupt content is the cause, and not a storage that does not answer: HBase has one
   * exception for both.
   */
  private static boolean isCorrupt(CorruptedSnapshotException failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof InvalidProtocolBufferException
          || t instanceof ChecksumException
          || t.getClass().getSimpleName().equals(LOST_BLOCK)) {
        return true;
      }
    }
    return false;
  }
}
