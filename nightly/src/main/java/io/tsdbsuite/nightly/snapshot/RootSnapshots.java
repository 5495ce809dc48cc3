package io.tsdbsuite.nightly.snapshot;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;

/**
 * The snapshots below a root directory, of exports or of HBase: {@code .hbase-snapshot/NAME}. An
 * export puts this directory in place last, so it is finished when both of its files are there.
 */
public final class RootSnapshots {
  private static final String EXPORTING = ".tmp";

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
   * The nights below the root.
   *
   * @throws JobException outside, if the storage fails
   */
  public List<NightSnapshots> nights() {
    try {
      FileSystem files = directory.getFileSystem(hadoop);
      List<FoundSnapshot> found = new ArrayList<>();
      for (FileStatus dir : list(files)) {
        String name = dir.getPath().getName();
        boolean ours =
            kind.pattern().date(kind.dataTable(), name).isPresent()
                || kind.pattern().date(kind.uidTable(), name).isPresent();
        if (ours) {
          find(files, dir.getPath()).ifPresent(found::add);
        }
      }
      return Pairs.of(kind, found);
    } catch (IOException e) {
      throw JobException.outside("the snapshots in " + directory + " cannot be read: " + e, e);
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
   * A finished snapshot.
   *
   * @throws JobException outside, if the storage fails
   */
  public Optional<FoundSnapshot> find(String name) {
    try {
      return find(directory.getFileSystem(hadoop), new Path(directory, name));
    } catch (IOException e) {
      throw JobException.outside(
          "snapshot " + name + " in " + directory + " cannot be read: " + e, e);
    }
  }

  private static Optional<FoundSnapshot> find(FileSystem files, Path dir) throws IOException {
    if (!files.exists(new Path(dir, SnapshotManifest.DATA_MANIFEST_NAME))
        || !files.exists(new Path(dir, SnapshotDescriptionUtils.SNAPSHOTINFO_FILE))) {
      return Optional.empty();
    }
    SnapshotProtos.SnapshotDescription info = SnapshotDescriptionUtils.readSnapshotInfo(files, dir);
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
      FileSystem files = directory.getFileSystem(hadoop);
      return files.exists(new Path(new Path(directory, EXPORTING), name))
          || (files.exists(new Path(directory, name)) && find(name).isEmpty());
    } catch (IOException e) {
      throw JobException.outside(
          "snapshot " + name + " in " + directory + " cannot be read: " + e, e);
    }
  }

  /**
   * The TTL of the data table when a snapshot was taken; empty if its data never expire.
   *
   * @throws JobException outside, if the storage fails
   */
  public Optional<Duration> ttl(NightSnapshots night) {
    try {
      FileSystem files = directory.getFileSystem(hadoop);
      Path dir = new Path(directory, night.night().dataSnapshot());
      SnapshotManifest manifest =
          SnapshotManifest.open(
              hadoop, files, dir, SnapshotDescriptionUtils.readSnapshotInfo(files, dir));
      int seconds = HConstants.FOREVER;
      for (ColumnFamilyDescriptor family : manifest.getTableDescriptor().getColumnFamilies()) {
        seconds = Math.min(seconds, family.getTimeToLive());
      }
      return seconds == HConstants.FOREVER
          ? Optional.empty()
          : Optional.of(Duration.ofSeconds(seconds));
    } catch (IOException e) {
      throw JobException.outside(
          "the manifest of "
              + night.night().dataSnapshot()
              + " in "
              + directory
              + " cannot be read: "
              + e,
          e);
    }
  }
}
