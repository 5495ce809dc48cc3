package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.format.snapshot.RegionRanges;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableName;

/** Checks that the live regions of a manifest cover the table, by {@link RegionRanges}. */
final class RegionCoverage {
  private record Range(byte[] start, byte[] end) {}

  private final List<Range> ranges = new ArrayList<>();

  /**
   * Adds a region.
   *
   * @return its encoded name
   */
  String add(RegionInfo region) {
    byte[] start = region.getStartKey().toByteArray();
    if (RegionRanges.isLive(
        region.getRegionId(), start, region.getSplit(), region.getReplicaId())) {
      ranges.add(new Range(start, region.getEndKey().toByteArray()));
    }
    return encodedName(region);
  }

  /** The first hole or overlap; empty if there is none. */
  Optional<String> problem() {
    ranges.sort(Comparator.comparing(Range::start, RegionRanges.BY_KEY));
    OptionalInt problem =
        RegionRanges.firstProblem(
            ranges.stream().map(Range::start).toList(), ranges.stream().map(Range::end).toList());
    if (problem.isEmpty()) {
      return Optional.empty();
    }
    int index = problem.getAsInt();
    byte[] expected = index == 0 ? new byte[0] : ranges.get(index - 1).end();
    if (index == ranges.size()) {
      return Optional.of(
          "its last region ends at row " + hex(expected) + " instead of the end of the table");
    }
    return Optional.of(
        index > 0 && expected.length == 0
            ? "two regions reach to the end of the table"
            : "a region begins at row %s but the previous region ends at %s"
                .formatted(hex(ranges.get(index).start()), hex(expected)));
  }

  private static String hex(byte[] row) {
    return row.length == 0 ? "''" : HexFormat.of().formatHex(row);
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
