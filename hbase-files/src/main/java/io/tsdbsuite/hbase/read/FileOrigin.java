package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.StoreFileNames;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * How a store file came to be, as its metadata tell.
 *
 * @param kind how
 * @param written when the file of a bulk load was written, which is before it was loaded;
 *     milliseconds since the epoch; does not matter otherwise
 * @param compacted names of the HFiles that a compaction made it of, as far as they are told
 */
public record FileOrigin(Kind kind, long written, Set<String> compacted) {
  /** How cells come into a file. */
  public enum Kind {
    /** A region server wrote its memory: all cells came after the files before it were written. */
    FLUSH,
    /** Another program wrote it: its cells came with the load, whatever their timestamps. */
    BULK_LOAD,
    /** It was made of other files. */
    COMPACTION,
    /** It does not tell, as files of HBase 1 do not. */
    UNKNOWN
  }

  /**
   * Of an open file.
   *
   * @throws IOException when its metadata make no sense
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
    // Of a region that was split or merged these are names of references and links.
    Set<String> compacted =
        ProtobufUtil.toCompactedStoreFiles(event).stream()
            .map(StoreFileNames::hfile)
            .collect(Collectors.toUnmodifiableSet());
    return new FileOrigin(compacted.isEmpty() ? Kind.FLUSH : Kind.COMPACTION, 0, compacted);
  }
}
