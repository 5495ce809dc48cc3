package io.tsdbsuite.hbase.snapshot;

import io.tsdbsuite.hbase.FileSupport;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.StorageFailures;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hadoop.hbase.snapshot.CorruptedSnapshotException;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads snapshot manifests. Needs read permission only; nothing is written below the root. */
public final class SnapshotLoader {
  private static final String SNAPSHOT_DIRECTORY = HConstants.SNAPSHOT_DIR_NAME;

  /** HBase's own limit of 64 MiB is too small for the manifest of a large table. */
  private static final int MANIFEST_SIZE_LIMIT = 1 << 30;

  private final Configuration hadoop;
  private final String root;

  /**
   * @param hadoop configuration of the root's file system
   * @param root an HBase root directory or the target of ExportSnapshot, with its scheme
   */
  public SnapshotLoader(Configuration hadoop, String root) {
    this.hadoop = hadoop;
    this.root = root;
  }

  /**
   * Loads the manifest of a snapshot.
   *
   * @param name the snapshot's name
   * @param family the column family to read
   * @throws StorageException configuration, when the root, the snapshot or the family does not
   *     exist or may not be read, or this process cannot read what the family's files hold; bad
   *     input, when the manifest is corrupt or its regions do not cover the table
   */
  public Snapshot load(String name, String family) {
    return load(name, family, List.of()).get(0);
  }

  /**
   * Loads the manifest of a snapshot of a table with several families.
   *
   * @param family the column family to read
   * @param others further families, which the table may lack
   * @return a snapshot for each existing family, in the given order
   * @throws StorageException as above
   */
  public List<Snapshot> load(String name, String family, List<String> others) {
    Path rootPath = rootPath();
    try {
      Configuration conf = new Configuration(hadoop);
      FileSystem fs = rootPath.getFileSystem(conf);
      Path qualifiedRoot = fs.makeQualified(rootPath);
      conf.set(HConstants.HBASE_DIR, qualifiedRoot.toString());
      conf.setIfUnset(
          SnapshotManifest.SNAPSHOT_MANIFEST_SIZE_LIMIT_CONF_KEY,
          String.valueOf(MANIFEST_SIZE_LIMIT));
      Path directory = SnapshotDescriptionUtils.getCompletedSnapshotDir(name, qualifiedRoot);
      requireSnapshot(fs, qualifiedRoot, directory, name);
      SnapshotDescription description = SnapshotDescriptionUtils.readSnapshotInfo(fs, directory);
      SnapshotManifest manifest = SnapshotManifest.open(conf, fs, directory, description);
      List<Snapshot> snapshots = new ArrayList<>();
      snapshots.add(describe(name, family, conf, fs, description, manifest));
      for (String other : others) {
        if (manifest.getTableDescriptor().hasColumnFamily(Bytes.toBytes(other))) {
          snapshots.add(describe(name, other, conf, fs, description, manifest));
        }
      }
      return snapshots;
    } catch (StorageException e) {
      throw e;
    } catch (CorruptedSnapshotException e) {
      // HBase throws this exception for every failure to read, also for an outage.
      if (e.getCause() instanceof Exception cause) {
        throw StorageFailures.of("snapshot '" + name + "' under root " + root, cause);
      }
      throw StorageException.badInput(
          "snapshot '" + name + "' under " + root + " is corrupt: " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      // Some file systems throw RuntimeExceptions where others throw IOExceptions.
      throw StorageFailures.of("snapshot '" + name + "' under root " + root, e);
    }
  }

  private Path rootPath() {
    try {
      Path path = new Path(root);
      if (path.toUri().getScheme() == null) {
        throw StorageException.configuration(
            "snapshot root must carry its scheme (s3a://, hdfs://, file:///), found: " + root);
      }
      return path;
    } catch (IllegalArgumentException e) {
      throw StorageException.configuration("snapshot root is not a path: '" + root + "'", e);
    }
  }

  private void requireSnapshot(FileSystem fs, Path qualifiedRoot, Path directory, String name)
      throws IOException {
    Path info = new Path(directory, SnapshotDescriptionUtils.SNAPSHOTINFO_FILE);
    if (fs.exists(info)) {
      return;
    }
    Path snapshots = new Path(qualifiedRoot, SNAPSHOT_DIRECTORY);
    FileStatus[] found;
    try {
      found = fs.listStatus(snapshots);
    } catch (FileNotFoundException e) {
      if (e.getClass() != FileNotFoundException.class) {
        throw e;
      }
      throw StorageException.configuration(
          ("snapshot root %s has no %s directory: it must be an HBase root directory or the"
                  + " target of ExportSnapshot")
              .formatted(root, SNAPSHOT_DIRECTORY),
          e);
    }
    String names =
        Stream.of(found)
            .map(status -> status.getPath().getName())
            .filter(n -> !n.startsWith("."))
            .sorted()
            .collect(Collectors.joining(", "));
    throw StorageException.configuration(
        "snapshot '%s' is not under %s; found there: %s"
            .formatted(name, root, names.isEmpty() ? "none" : names));
  }

  private static Snapshot describe(
      String name,
      String family,
      Configuration conf,
      FileSystem fs,
      SnapshotDescription description,
      SnapshotManifest manifest)
      throws IOException {
    TableDescriptor table = manifest.getTableDescriptor();
    if (table == null) {
      throw StorageException.badInput(
          "snapshot '" + name + "' is corrupt: it has no data.manifest; export it again", null);
    }
    byte[] familyName = Bytes.toBytes(family);
    ColumnFamilyDescriptor familyDescriptor = table.getColumnFamily(familyName);
    if (familyDescriptor == null) {
      throw StorageException.configuration(
          ("snapshot '%s' is of table %s, which has no column family '%s' (it has %s): is"
                  + " it the right snapshot?")
              .formatted(
                  name, table.getTableName(), family, families(table.getColumnFamilyNames())));
    }
    FileSupport.requireFamily(
        "snapshot '" + name + "' of table " + table.getTableName(), familyDescriptor, conf);
    List<SnapshotRegion> regions = new ArrayList<>();
    List<SnapshotRegionManifest> manifests = manifest.getRegionManifests();
    if (manifests != null) {
      for (SnapshotRegionManifest region : manifests) {
        RegionInfo info = ProtobufUtil.toRegionInfo(region.getRegionInfo());
        if (RegionCoverage.isLive(info)) {
          regions.add(
              new SnapshotRegion(
                  info.getEncodedName(),
                  info.getStartKey(),
                  info.getEndKey(),
                  storeFiles(region, familyName)));
        }
      }
    }
    RegionCoverage.require(name, regions);
    return new Snapshot(
        name,
        table.getTableName().getNameAsString(),
        description.getCreationTime(),
        description.getType() != SnapshotDescription.Type.SKIPFLUSH,
        conf,
        fs,
        familyDescriptor,
        List.copyOf(regions));
  }

  private static String families(Set<byte[]> names) {
    return names.stream().map(Bytes::toStringBinary).collect(Collectors.joining(", "));
  }

  private static List<StoreFile> storeFiles(SnapshotRegionManifest region, byte[] family) {
    return region.getFamilyFilesList().stream()
        .filter(files -> Arrays.equals(files.getFamilyName().toByteArray(), family))
        .flatMap(files -> files.getStoreFilesList().stream())
        .toList();
  }
}
