package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.format.snapshot.StoreFileName;
import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.jspecify.annotations.Nullable;

/** The store files of a root at one time. */
final class Archive {
  private static final Pattern REGION = Pattern.compile("[0-9a-f]+");

  private final BackupRoot root;
  private final BackupRoot.Unknown unknown;
  private final SortedMap<String, Directory> directories = new TreeMap<>();
  private PruneBooks.Amount found = PruneBooks.Amount.NONE;

  /** A store file. Several threads set the two marks, always to true. */
  static final class StoredFile {
    final long bytes;

    /** Time of its last change, ms since the epoch. */
    final long modified;

    /** Whether a manifest that stays names the file. */
    volatile boolean named;

    /** Whether this run has deleted the file. */
    volatile boolean deleted;

    private StoredFile(FileStatus status) {
      bytes = status.getLen();
      modified = status.getModificationTime();
    }
  }

  /**
   * The directory of a region's family, or an empty one of a region, table or namespace.
   *
   * @param files store files by their names
   * @param found number and size of its store files, as counted by the listing
   * @param others number of entries that are no store files
   * @param modified time of the directory's last change, ms since the epoch, as the file system
   *     tells it
   */
  record Directory(
      Map<String, StoredFile> files, PruneBooks.Amount found, int others, long modified) {}

  private Archive(BackupRoot root, BackupRoot.Unknown unknown) {
    this.root = root;
    this.unknown = unknown;
  }

  /**
   * Lists an archive, several directories at a time.
   *
   * @param unknown receives entries that are no store files
   */
  static Archive list(BackupRoot root, BackupRoot.Unknown unknown) throws IOException {
    Archive archive = new Archive(root, unknown);
    archive.list();
    return archive;
  }

  /** By {@code namespace/table/region/family}; shorter paths are empty directories. */
  SortedMap<String, Directory> directories() {
    return directories;
  }

  /** Number and size of all store files, as counted by the listing. */
  PruneBooks.Amount found() {
    return found;
  }

  /** The file that a manifest names; null if it does not exist. */
  @Nullable StoredFile find(StoreFilePath path) {
    Directory directory = directories.get(path.directory());
    return directory == null ? null : directory.files().get(path.file());
  }

  private void list() throws IOException {
    List<FileStatus> namespaces = directories(root.list(root.archive()));
    List<FileStatus> regions = new ArrayList<>();
    for (FileStatus region : below(below(namespaces))) {
      if (REGION.matcher(region.getPath().getName()).matches()) {
        regions.add(region);
      } else {
        unknown.add(root.relative(region));
      }
    }
    SortedMap<String, FileStatus> families = new TreeMap<>();
    below(regions).forEach(family -> families.put(key(family), family));
    Iterator<Directory> listed = root.workers().map(families.values(), this::family).iterator();
    for (String family : families.keySet()) {
      Directory directory = listed.next();
      directories.put(family, directory);
      found = found.plus(directory.found());
    }
  }

  /** The directories in directories. */
  private List<FileStatus> below(List<FileStatus> parents) throws IOException {
    List<List<FileStatus>> entries =
        root.workers().map(parents, parent -> root.list(parent.getPath()));
    List<FileStatus> found = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).isEmpty()) {
        FileStatus empty = parents.get(i);
        directories.put(
            key(empty),
            new Directory(Map.of(), PruneBooks.Amount.NONE, 0, empty.getModificationTime()));
      }
      found.addAll(directories(entries.get(i)));
    }
    return found;
  }

  private List<FileStatus> directories(List<FileStatus> entries) {
    List<FileStatus> found = new ArrayList<>();
    for (FileStatus entry : entries) {
      if (entry.isDirectory()) {
        found.add(entry);
      } else {
        unknown.add(root.relative(entry));
      }
    }
    return found;
  }

  private Directory family(FileStatus family) throws IOException {
    Map<String, StoredFile> files = new HashMap<>();
    PruneBooks.Amount found = PruneBooks.Amount.NONE;
    int others = 0;
    for (FileStatus entry : root.list(family.getPath())) {
      String name = entry.getPath().getName();
      if (entry.isFile() && (StoreFileName.isHFile(name) || StoreFileName.isReference(name))) {
        StoredFile file = new StoredFile(entry);
        files.put(name, file);
        found = found.plusFile(file.bytes);
      } else {
        unknown.add(root.relative(entry));
        others++;
      }
    }
    return new Directory(files, found, others, family.getModificationTime());
  }

  private String key(FileStatus entry) {
    String archive = root.relative(root.archive());
    return root.relative(entry.getPath()).substring(archive.length() + 1);
  }
}
