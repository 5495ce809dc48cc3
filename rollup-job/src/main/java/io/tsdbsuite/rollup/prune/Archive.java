package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store files of a root at one time.
 *
 * @param directories directories of families by {@code namespace/table/region/family}
 * @param found number and size of all store files, as counted by the listing
 * @param hollow directories of regions, tables and namespaces that are empty, below the archive,
 *     each with the time of its last change in ms since the epoch
 */
record Archive(SortedMap<String, StoreDirectory> directories, Amount found, List<Hollow> hollow) {
  /**
   * An empty directory above those of families.
   *
   * @param path below the archive
   * @param modified time of its last change, ms since the epoch
   */
  record Hollow(String path, long modified) {}

  /** The file that a manifest names; null if it does not exist. */
  @Nullable StoredFile find(StoreFilePath path) {
    StoreDirectory directory = directories.get(path.directory());
    return directory == null ? null : directory.files().get(path.file());
  }

  void forEach(Consumer<StoredFile> each) {
    directories.values().forEach(directory -> directory.files().values().forEach(each));
  }
}
