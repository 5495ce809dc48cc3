package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.format.snapshot.StoreFileName;
import io.tsdbsuite.planner.due.DueRule;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.IncompleteSnapshotException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableSchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.ExtensionRegistryLite;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * Reads {@code data.manifest}, HBase's SnapshotDataManifest, region by region; only names and sizes
 * of HFiles, and the TTL, stay in memory.
 */
final class ManifestReader {
  private static final ByteString TTL = ByteString.copyFromUtf8("TTL");

  private final String snapshot;
  private final Map<String, NavigableMap<String, Long>> files = new HashMap<>();
  private final RegionCoverage coverage = new RegionCoverage();
  private Optional<Duration> ttl = Optional.empty();
  private boolean hasTable;

  private ManifestReader(String snapshot) {
    this.snapshot = snapshot;
  }

  /**
   * Reads a manifest to its end.
   *
   * @param snapshot the snapshot's name, for messages
   * @throws IncompleteSnapshotException when it is cut off or damaged
   * @throws IOException when the stream fails
   */
  static Manifest read(String snapshot, InputStream stream) throws IOException {
    ManifestReader reader = new ManifestReader(snapshot);
    int regions = 0;
    try {
      CodedInputStream in = CodedInputStream.newInstance(stream);
      // The default limit is HBase's 64 MiB; the manifest of a large table exceeds it.
      in.setSizeLimit(Integer.MAX_VALUE);
      ExtensionRegistryLite none = ExtensionRegistryLite.getEmptyRegistry();
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case SnapshotDataManifest.TABLE_SCHEMA_FIELD_NUMBER -> {
            reader.ttl = reader.ttl(in.readMessage(TableSchema.parser(), none));
            reader.hasTable = true;
          }
          case SnapshotDataManifest.REGION_MANIFESTS_FIELD_NUMBER -> {
            reader.region(in.readMessage(SnapshotRegionManifest.parser(), none));
            regions++;
          }
          default -> in.skipField(tag);
        }
      }
    } catch (InvalidProtocolBufferException e) {
      if (e.unwrapIOException() != e) {
        throw e.unwrapIOException();
      }
      throw new IncompleteSnapshotException(
          snapshot, "data.manifest is cut off or damaged (" + e.getMessage() + ")", e);
    }
    if (!reader.hasTable) {
      throw new IncompleteSnapshotException(snapshot, "data.manifest is cut off: it has no table");
    }
    // The format does not detect a manifest that is cut off between two regions.
    reader
        .coverage
        .problem()
        .ifPresent(
            problem -> {
              throw new IncompleteSnapshotException(
                  snapshot, "data.manifest is cut off or damaged: " + problem);
            });
    return new Manifest(regions, reader.files, reader.ttl);
  }

  private Optional<Duration> ttl(TableSchema table) {
    try {
      return DueRule.ttl(table.getColumnFamiliesList().stream().mapToInt(ManifestReader::seconds));
    } catch (NumberFormatException e) {
      throw new IncompleteSnapshotException(
          snapshot, "data.manifest is damaged: a family's TTL is no number of seconds", e);
    }
  }

  /** The TTL of a family; HBase stores it as a text, if it was set. */
  private static int seconds(ColumnFamilySchema family) {
    for (BytesBytesPair attribute : family.getAttributesList()) {
      if (attribute.getFirst().equals(TTL)) {
        return Integer.parseInt(attribute.getSecond().toStringUtf8());
      }
    }
    return DueRule.FOREVER;
  }

  private void region(SnapshotRegionManifest manifest) {
    String encodedName = coverage.add(manifest.getRegionInfo());
    TableName owner = manifest.getRegionInfo().getTableName();
    String namespace = owner.getNamespace().toStringUtf8();
    String qualifier = owner.getQualifier().toStringUtf8();
    for (FamilyFiles family : manifest.getFamilyFilesList()) {
      String familyName = family.getFamilyName().toStringUtf8();
      for (StoreFile file : family.getStoreFilesList()) {
        String name = file.getName();
        StoreFileName hfile;
        try {
          hfile = StoreFileName.of(namespace, qualifier, encodedName, name);
        } catch (IllegalArgumentException e) {
          throw new IncompleteSnapshotException(
              snapshot, "data.manifest is damaged: " + e.getMessage(), e);
        }
        add(
            hfile.namespace() + "/" + hfile.qualifier(),
            hfile.region() + "/" + familyName + "/" + hfile.hfile(),
            file.hasFileSize() ? file.getFileSize() : Manifest.UNKNOWN_SIZE);
        if (StoreFileName.isReference(name) && !file.hasReference()) {
          // Manifests of old HBase versions leave the split key in the reference file itself.
          add(
              (namespace.isEmpty() ? "default" : namespace) + "/" + qualifier,
              encodedName + "/" + familyName + "/" + name,
              Manifest.UNKNOWN_SIZE);
        }
      }
    }
  }

  private void add(String table, String path, long size) {
    Long before = files.computeIfAbsent(table, any -> new TreeMap<>()).put(path, size);
    if (before != null && before != size) {
      throw new IncompleteSnapshotException(
          snapshot,
          "data.manifest states %s bytes and %s bytes of the same HFile, %s"
              .formatted(before, size, path));
    }
  }

  /**
   * The files of a snapshot, as listed in {@code data.manifest}.
   *
   * @param regions number of regions
   * @param files by {@code <ns>/<table>}: sizes in bytes by {@code <region>/<family>/<hfile>};
   *     {@link #UNKNOWN_SIZE} if the manifest does not state it
   * @param ttl of the table; empty if its data never expire
   */
  record Manifest(
      int regions, Map<String, NavigableMap<String, Long>> files, Optional<Duration> ttl) {
    static final long UNKNOWN_SIZE = -1;

    /** The number of HFiles. */
    int fileCount() {
      return files.values().stream().mapToInt(Map::size).sum();
    }

    /** The total size of all HFiles with a known size, bytes. */
    long bytes() {
      return files.values().stream()
          .flatMap(sizes -> sizes.values().stream())
          .mapToLong(size -> Math.max(0, size))
          .sum();
    }
  }
}
