package io.tsdbsuite.hbase.snapshot;

import io.tsdbsuite.format.snapshot.StoreFileName;
import io.tsdbsuite.hbase.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableSchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.ExtensionRegistryLite;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file {@code data.manifest} of a snapshot region by region, so that its size does not
 * matter: all regions, also split parents and replicas, and all families.
 */
public final class DataManifest {
  /** The size of a file if the manifest does not state it. */
  public static final long UNKNOWN_SIZE = -1;

  /** Receives each file that a manifest needs; a file can come more than once. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives a file.
     *
     * @param file of an archive, found by the rules of {@link StoreFileName}
     * @param size bytes, or {@link #UNKNOWN_SIZE}
     */
    void visit(StoreFilePath file, long size);
  }

  private final String snapshot;
  private final Visitor visitor;
  private final List<SnapshotRegion> live = new ArrayList<>();
  private @Nullable TableName table;

  private DataManifest(String snapshot, Visitor visitor) {
    this.snapshot = snapshot;
    this.visitor = visitor;
  }

  /**
   * Reads a manifest to its end. The visitor has received some files when this method throws.
   *
   * @param snapshot the snapshot's name, for messages
   * @param stream the file; it stays open
   * @return the table of the snapshot
   * @throws StorageException bad input, when the manifest is cut off or damaged
   * @throws IOException when the stream fails
   */
  public static TableName read(String snapshot, InputStream stream, Visitor visitor)
      throws IOException {
    return new DataManifest(snapshot, visitor).read(stream);
  }

  private TableName read(InputStream stream) throws IOException {
    try {
      CodedInputStream in = CodedInputStream.newInstance(stream);
      // The default is 64 MiB for the whole stream.
      in.setSizeLimit(Integer.MAX_VALUE);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        field(in, tag);
      }
    } catch (InvalidProtocolBufferException e) {
      if (e.unwrapIOException() != e) {
        throw e.unwrapIOException();
      }
      throw damaged("is cut off or damaged (" + e.getMessage() + ")", e);
    } catch (IllegalArgumentException e) {
      throw damaged("is damaged: " + e.getMessage(), e);
    }
    if (table == null) {
      throw damaged("is cut off: it has no table", null);
    }
    // The format does not detect a manifest that is cut off between two regions.
    RegionCoverage.require(snapshot, live);
    return table;
  }

  private void field(CodedInputStream in, int tag) throws IOException {
    ExtensionRegistryLite none = ExtensionRegistryLite.getEmptyRegistry();
    switch (WireFormat.getTagFieldNumber(tag)) {
      case SnapshotDataManifest.TABLE_SCHEMA_FIELD_NUMBER ->
          table =
              ProtobufUtil.toTableName(in.readMessage(TableSchema.parser(), none).getTableName());
      case SnapshotDataManifest.REGION_MANIFESTS_FIELD_NUMBER ->
          region(in.readMessage(SnapshotRegionManifest.parser(), none));
      default -> in.skipField(tag);
    }
  }

  private void region(SnapshotRegionManifest manifest) {
    RegionInfo region = ProtobufUtil.toRegionInfo(manifest.getRegionInfo());
    if (RegionCoverage.isLive(region)) {
      live.add(
          new SnapshotRegion(
              region.getEncodedName(), region.getStartKey(), region.getEndKey(), List.of()));
    }
    for (FamilyFiles family : manifest.getFamilyFilesList()) {
      String name = family.getFamilyName().toStringUtf8();
      for (StoreFile file : family.getStoreFilesList()) {
        visit(region, name, file);
      }
    }
  }

  private void visit(RegionInfo region, String family, StoreFile file) {
    String name = file.getName();
    visitor.visit(
        StoreFilePath.of(region.getTable(), region.getEncodedName(), family, name),
        file.hasFileSize() ? file.getFileSize() : UNKNOWN_SIZE);
    if (StoreFileName.isReference(name) && !file.hasReference()) {
      // Manifests of old HBase versions leave the split key in the reference file itself.
      visitor.visit(
          new StoreFilePath(region.getTable(), region.getEncodedName(), family, name),
          UNKNOWN_SIZE);
    }
  }

  private StorageException damaged(String problem, @Nullable Exception cause) {
    return StorageException.badInput(
        "snapshot '" + snapshot + "': its data.manifest " + problem, cause);
  }
}
