package io.tsdbsuite.trigger.snapshot;

import java.util.Map;
import java.util.NavigableMap;

/**
 * What {@code data.manifest} says must be there.
 *
 * @param regions how many regions it has
 * @param files by {@code <ns>/<table>}: sizes in bytes by {@code <region>/<family>/<hfile>}; {@link
 *     #UNKNOWN_SIZE} where the manifest does not tell
 */
record Manifest(int regions, Map<String, NavigableMap<String, Long>> files) {
  static final long UNKNOWN_SIZE = -1;

  /** How many HFiles there are. */
  int fileCount() {
    return files.values().stream().mapToInt(Map::size).sum();
  }

  /** Bytes of all HFiles of which the size is known. */
  long bytes() {
    return files.values().stream()
        .flatMap(sizes -> sizes.values().stream())
        .mapToLong(size -> Math.max(0, size))
        .sum();
  }
}
