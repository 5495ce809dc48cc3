package io.tsdbsuite.hbase.snapshot;

import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;

/**
 * A live region of a snapshot: its row range and the store files of the family that is read.
 *
 * @param encodedName HBase's encoded region name
 * @param startKey first row, inclusive; empty for the first region
 * @param endKey last row, exclusive; empty for the last region
 * @param storeFiles from the manifest; {@link StoreFileResolver} finds the HFiles
 */
public record SnapshotRegion(
    String encodedName, byte[] startKey, byte[] endKey, List<StoreFile> storeFiles) {}
