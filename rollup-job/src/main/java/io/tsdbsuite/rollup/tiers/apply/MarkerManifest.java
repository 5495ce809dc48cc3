package io.tsdbsuite.rollup.tiers.apply;

import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The list of the HFiles with the markers of one proof for one table, written when they are
 * complete. It has another name than the manifest of a run, so that {@code rollup-job load} does
 * not take them.
 *
 * @param format {@link #FORMAT}
 * @param version of rollup-job
 * @param proof SHA-256 of the proof
 * @param cluster id of the HBase cluster
 * @param table whose rows get the markers
 * @param cellTimestamp of all markers, milliseconds since the epoch
 * @param parts by the regions of the proof's snapshot
 */
record MarkerManifest(
    int format,
    String version,
    String proof,
    String cluster,
    String table,
    long cellTimestamp,
    List<Part> parts) {
  /** The version of the fields. */
  static final int FORMAT = 1;

  /**
   * The rows of a region of the snapshot.
   *
   * @param region HBase's encoded name
   * @param metrics rows that the proof names, by the UID of their metric in hex
   * @param kept rows of these metrics that no rollup proves, by reason
   * @param unmarked bit n: row n of the snapshot, of those that the proof names, had nothing to
   *     delete in the table, and got no marker
   * @param files one for each region of the table with markers
   */
  record Part(
      String region,
      SortedMap<String, MarkerRows.Count> metrics,
      SortedMap<String, Long> kept,
      byte[] unmarked,
      List<MarkerFile> files) {
    /** Rows that the proof names. */
    long rows() {
      return metrics.values().stream().mapToLong(MarkerRows.Count::allRows).sum();
    }

    /** Markers in its files. */
    long markers() {
      return files.stream().mapToLong(MarkerFile::markers).sum();
    }

    BitSet unmarkedRows() {
      return BitSet.valueOf(unmarked);
    }
  }

  /**
   * An HFile.
   *
   * @param markers in it
   * @param bytes its length
   * @param crc32c of all its bytes, read back after writing
   */
  record MarkerFile(String name, long markers, long bytes, long crc32c) {}

  /** Rows that the proof names, by the UID of their metric in hex. */
  SortedMap<String, MarkerRows.Count> metrics() {
    SortedMap<String, MarkerRows.Count> all = new TreeMap<>();
    parts.forEach(
        part ->
            part.metrics.forEach((uid, count) -> all.merge(uid, count, MarkerRows.Count::plus)));
    return all;
  }

  /** Rows that stay because no rollup proves them, by reason. */
  SortedMap<String, Long> kept() {
    SortedMap<String, Long> all = new TreeMap<>();
    parts.forEach(part -> part.kept.forEach((reason, rows) -> all.merge(reason, rows, Long::sum)));
    return all;
  }

  /** Rows that the proof names. */
  long rows() {
    return parts.stream().mapToLong(Part::rows).sum();
  }

  /** All files. */
  List<MarkerFile> files() {
    return parts.stream().flatMap(part -> part.files.stream()).toList();
  }

  /** Markers in all files. */
  long markers() {
    return parts.stream().mapToLong(Part::markers).sum();
  }
}
