package io.tsdbsuite.rollup.report;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Fingerprints of partitions and plans, from rows and from names and lengths of files. Directories
 * are excluded, because HBase moves files to its archive.
 */
public final class PlanFingerprint {
  /**
   * Bytes kept of a digest; two different plans of one snapshot collide with a probability of
   * 2^-64.
   */
  private static final int BYTES = 8;

  private static final HexFormat HEX = HexFormat.of();

  private PlanFingerprint() {}

  /** Fingerprint of a plan: 16 hexadecimal digits. */
  public static String of(RollupPlan plan) {
    MessageDigest digest = digest();
    plan.partitions().forEach(partition -> add(digest, of(partition)));
    return text(digest);
  }

  /**
   * Fingerprint of a partition, as the fields of a JSON object without braces: {@code index};
   * {@code region}, the first region; {@code startRow} and {@code stopRow} in hexadecimal; {@code
   * files}, a digest that also covers the borders between its parts and, for changed rows, the
   * rows.
   */
  public static String of(RollupPartition partition) {
    MessageDigest files = digest();
    for (int i = 0; i < partition.parts().size(); i++) {
      RegionPart part = partition.parts().get(i);
      if (i > 0) {
        add(files, part.region());
        add(files, HEX.formatHex(part.startRow()));
      }
      for (SnapshotFile file : part.files()) {
        add(files, file.name());
        add(files, file.length() + " " + file.half());
        add(files, file.splitRow() == null ? "" : HEX.formatHex(file.splitRow()));
      }
    }
    if (partition.late() != null) {
      for (int i = 0; i < partition.late().size(); i++) {
        add(files, HEX.formatHex(partition.late().key(i)));
      }
    }
    return of(
        partition.index(),
        partition.region(),
        HEX.formatHex(partition.startRow()),
        HEX.formatHex(partition.stopRow()),
        text(files));
  }

  /** Fingerprint of a partition from its fields, which contain no character that JSON escapes. */
  static String of(int index, String region, String startRow, String stopRow, String files) {
    return "\"index\":%s,\"region\":\"%s\",\"startRow\":\"%s\",\"stopRow\":\"%s\",\"files\":\"%s\""
        .formatted(index, region, startRow, stopRow, files);
  }

  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  private static String text(MessageDigest digest) {
    return HEX.formatHex(digest.digest(), 0, BYTES);
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
