package io.tsdbsuite.rollup.verify;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.TreeSet;

/**
 * Identity of the regions of a table. HBase's encoded name of a region depends on the table, the
 * first row and the time at which the region was made, so a table that was truncated, made again,
 * split or merged has other names, and so has a table of another cluster.
 */
public final class RegionNames {
  private RegionNames() {}

  /**
   * A hash of encoded names, in any order.
   *
   * @return SHA-256, 64 hex digits
   */
  public static String hash(Collection<String> names) {
    return sha256(String.join("\n", new TreeSet<>(names)).getBytes(StandardCharsets.US_ASCII));
  }

  /** SHA-256 of bytes, 64 hex digits. */
  public static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }
}
