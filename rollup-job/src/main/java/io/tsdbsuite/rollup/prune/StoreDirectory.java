package io.tsdbsuite.rollup.prune;

import java.util.Map;

/**
 * The directory of a region's family below the archive.
 *
 * @param files store files by their names
 * @param others number of entries that are no store files
 * @param modified time of the directory's last change, ms since the epoch, as the file system tells
 *     it
 */
record StoreDirectory(Map<String, StoredFile> files, int others, long modified) {
  boolean isEmpty() {
    return files.isEmpty() && others == 0;
  }
}
