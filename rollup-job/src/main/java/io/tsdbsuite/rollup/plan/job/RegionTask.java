package io.tsdbsuite.rollup.plan.job;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.spark.PartitionJobs;
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
 * A query about some regions of a snapshot, shipped to the executors.
 *
 * @param snapshot name of the snapshot
 * @param table its table
 * @param conf configuration for reading the snapshot
 */
record RegionTask<R>(
    String snapshot,
    String table,
    boolean flushed,
    SnapshotFamily family,
    Broadcast<SerializableConfiguration> conf,
    RegionJob.Query<R> query)
    implements PartitionJobs.Work<RegionTask.Batch, RegionJob.Part<R>> {
  private static final long serialVersionUID = 1L;

  static <R> RegionTask<R> of(
      Snapshot data, Broadcast<SerializableConfiguration> conf, RegionJob.Query<R> query) {
    return new RegionTask<>(
        data.name(), data.table(), data.flushed(), SnapshotFamily.of(data), conf, query);
  }

  /**
   * Some regions of the manifest.
   *
   * @param first number of the first
   */
  record Batch(int first, List<Region> regions) implements Serializable {}

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

  @Override
  public RegionJob.Part<R> run(Batch batch, TaskContext context) {
    try {
      // An executor may have another class path than the driver.
      HBaseVersion.require();
      List<SnapshotRegion> regions = new ArrayList<>();
      for (Region region : batch.regions()) {
        regions.add(region.region());
      }
      return new RegionJob.Part<>(batch.first(), query.run(source(), regions));
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
