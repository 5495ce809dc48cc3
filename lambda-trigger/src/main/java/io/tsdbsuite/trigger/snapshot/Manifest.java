package io.tsdbsuite.trigger.snapshot;

import java.util.Map;
import java.util.NavigableMap;

/**
 * The files of a snapshot, as listed in {@code data.manifest}.
 *
 * @param regions number of regions
 * @param files by {@code <ns>/<table>}: sizes in bytes by {@code <region>/<family>/<hfile>}; {@link
 *     #UNKNOWN_SIZE} if the manifest does not state it
 */
record Manifest(int regions, Map<String, NavigableMap<String, Long>> files) {
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
