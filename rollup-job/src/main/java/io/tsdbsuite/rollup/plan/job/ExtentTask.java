package io.tsdbsuite.rollup.plan.job;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.rollup.plan.FileExtent;
import io.tsdbsuite.rollup.plan.KeyEvidence;
import io.tsdbsuite.rollup.plan.RegionExtents;
import io.tsdbsuite.rollup.plan.RegionTasks;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.spark.WorkFailures;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Reads the indexes of some regions' HFiles; shipped to the executors. Several threads read, since
 * they mostly wait for storage.
 *
 * @param snapshot name of the snapshot
 * @param table its table
 * @param keys rules of the schema; it has seen nothing
 * @param conf configuration for reading the snapshot
 */
record ExtentTask(
    String snapshot,
    String table,
    boolean flushed,
    SnapshotFamily family,
    RowWindow window,
    long partitionBytes,
    KeyEvidence keys,
    Broadcast<SerializableConfiguration> conf)
    implements PartitionJobs.Work<ExtentTask.Regions, ExtentTask.Extents> {
  private static final long serialVersionUID = 1L;

  /**
   * Some regions of the manifest.
   *
   * @param first number of the first
   */
  record Regions(int first, List<Region> regions) implements Serializable {}

  /**
   * A region of the manifest.
   *
   * @param storeFiles its files in the form of the manifest
   */
  record Region(String encodedName, byte[] startKey, byte[] endKey, List<byte[]> storeFiles)
      implements Serializable {
    static Region of(SnapshotRegion region) {
      List<byte[]> files = new ArrayList<>(region.storeFiles().size());
      region.storeFiles().forEach(file -> files.add(file.toByteArray()));
      return new Region(region.encodedName(), region.startKey(), region.endKey(), files);
    }

    SnapshotRegion region() throws IOException {
      List<StoreFile> files = new ArrayList<>(storeFiles.size());
      for (byte[] file : storeFiles) {
        files.add(StoreFile.parseFrom(file));
      }
      return new SnapshotRegion(encodedName, startKey, endKey, files);
    }
  }

  /**
   * The extents of the files of some regions.
   *
   * @param first number of the first region
   * @param seen what the keys of the files tell
   */
  record Extents(int first, List<List<FileExtent>> files, KeyEvidence seen)
      implements Serializable {}

  @Override
  public Extents run(Regions batch, TaskContext context) {
    try {
      // An executor may have another class path than the driver.
      HBaseVersion.require();
      KeyEvidence seen = keys.none();
      RegionExtents extents = new RegionExtents(source(), window, partitionBytes, seen::look);
      List<SnapshotRegion> regions = new ArrayList<>();
      for (Region region : batch.regions()) {
        regions.add(region.region());
      }
      return new Extents(batch.first(), RegionTasks.run(snapshot, regions, extents::read), seen);
    } catch (IOException e) {
      throw WorkFailures.of(e);
    }
  }

  private Snapshot source() throws IOException {
    Configuration hadoop = conf.value().value();
    ReadSource source = ReadSource.of(hadoop, CommonFSUtils.getRootDir(hadoop).toString(), family);
    return new Snapshot(
        snapshot,
        table,
        family.snapshotTime(),
        flushed,
        hadoop,
        source.fileSystem(),
        source.family(),
        List.of());
  }
}
