package io.tsdbsuite.trigger.snapshot;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableName;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Checks that regions cover a table without gap or overlap. Daughters of a split replace their
 * parent, which stays in the manifest until HBase's catalog janitor has run.
 */
final class RegionCoverage {
  /** Start key of the region without rows that has the MOB files of a table; its id is 0. */
  private static final ByteString MOB_REGION = ByteString.copyFromUtf8(".mob");

  private record Range(ByteString start, ByteString end) {}

  private final List<Range> ranges = new ArrayList<>();

  /**
   * Adds a region.
   *
   * @return its encoded name
   */
  String add(RegionInfo region) {
    boolean ofMob = region.getRegionId() == 0 && region.getStartKey().equals(MOB_REGION);
    if (!region.getSplit() && region.getReplicaId() == 0 && !ofMob) {
      ranges.add(new Range(region.getStartKey(), region.getEndKey()));
    }
    return encodedName(region);
  }

  /** The first gap or overlap; empty if there is none. */
  Optional<String> problem() {
    ranges.sort(Comparator.comparing(Range::start, ByteString.unsignedLexicographicalComparator()));
    ByteString expected = ByteString.EMPTY;
    for (int i = 0; i < ranges.size(); i++) {
      Range range = ranges.get(i);
      if (!range.start.equals(expected)) {
        return Optional.of(
            "a region begins at row %s but the previous region ends at %s"
                .formatted(hex(range.start), hex(expected)));
      }
      expected = range.end;
      if (expected.isEmpty() && i < ranges.size() - 1) {
        return Optional.of("two regions reach to the end of the table");
      }
    }
    if (ranges.isEmpty() || !expected.isEmpty()) {
      return Optional.of(
          "its last region ends at row " + hex(expected) + " instead of the end of the table");
    }
    return Optional.empty();
  }

  private static String hex(ByteString row) {
    return row.isEmpty() ? "''" : HexFormat.of().formatHex(row.toByteArray());
  }

  /**
   * The name of the region's directory: MD5 of {@code <table>,<start>,<id>[_<replica>]}, as in
   * HBase's RegionInfo.
   */
  private static String encodedName(RegionInfo region) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has MD5", e);
    }
    digest.update(text(region.getTableName()).getBytes(StandardCharsets.UTF_8));
    digest.update((byte) ',');
    digest.update(region.getStartKey().toByteArray());
    digest.update((byte) ',');
    digest.update(Long.toString(region.getRegionId()).getBytes(StandardCharsets.UTF_8));
    if (region.getReplicaId() > 0) {
      digest.update(String.format("_%04X", region.getReplicaId()).getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static String text(TableName name) {
    String namespace = name.getNamespace().toStringUtf8();
    String qualifier = name.getQualifier().toStringUtf8();
    return namespace.isEmpty() || namespace.equals("default")
        ? qualifier
        : namespace + ":" + qualifier;
  }
}
