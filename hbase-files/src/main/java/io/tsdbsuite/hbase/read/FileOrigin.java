package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * The origin of a store file, from its metadata.
 *
 * @param kind the way in which its cells were written
 * @param written time at which the file of a bulk load was written, which is before the load,
 *     milliseconds since the epoch; undefined for other kinds
 * @param compacted names of the HFiles that a compaction merged into the file, as far as its
 *     metadata have them
 */
public record FileOrigin(Kind kind, long written, Set<String> compacted) {
  /** The way in which the cells of a file were written. */
  public enum Kind {
    /** A region server flushed its memory: all cells are newer than the earlier files. */
    FLUSH,
    /**
     * Another program wrote the file: its cells are new with the load, whatever their timestamps.
     */
    BULK_LOAD,
    /** A compaction merged other files. */
    COMPACTION,
    /** The metadata have no origin, for example in files of HBase 1. */
    UNKNOWN
  }

  /**
   * Reads the origin of an open file.
   *
   * @throws IOException when its metadata are invalid
   */
  static FileOrigin of(HStoreFile file) throws IOException {
    if (file.isBulkLoadResult()) {
      return new FileOrigin(
          Kind.BULK_LOAD, file.getBulkLoadTimestamp().orElse(Long.MAX_VALUE), Set.of());
    }
    byte[] event = file.getMetadataValue(HStoreFile.COMPACTION_EVENT_KEY);
    if (event == null) {
      return new FileOrigin(Kind.UNKNOWN, 0, Set.of());
    }
    // In a region that was split or merged these are names of references and links.
    Set<String> compacted =
        ProtobufUtil.toCompactedStoreFiles(event).stream()
            .map(StoreFilePath::hfile)
            .collect(Collectors.toUnmodifiableSet());
    return new FileOrigin(compacted.isEmpty() ? Kind.FLUSH : Kind.COMPACTION, 0, compacted);
  }
}
