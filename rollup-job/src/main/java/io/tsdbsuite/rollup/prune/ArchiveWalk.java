package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;

/** Lists the archive of a root, several regions at a time. */
final class ArchiveWalk {
  private static final Pattern REGION = Pattern.compile("[0-9a-f]+");

  private final BackupRoot root;
  private final Workers workers;
  private final Unknown unknown;
  private final List<Archive.Hollow> hollow = new ArrayList<>();

  /**
   * @param unknown receives entries that are no store files
   */
  ArchiveWalk(BackupRoot root, Workers workers, Unknown unknown) {
    this.root = root;
    this.workers = workers;
    this.unknown = unknown;
  }

  /** Lists everything. */
  Archive walk() throws IOException {
    List<FileStatus> namespaces = directories(root.list(root.archive()));
    List<FileStatus> tables = below(namespaces);
    List<FileStatus> regions = new ArrayList<>();
    for (FileStatus region : below(tables)) {
      if (REGION.matcher(region.getPath().getName()).matches()) {
        regions.add(region);
      } else {
        unknown.add(root.relative(region));
      }
    }
    TreeMap<String, StoreDirectory> all = new TreeMap<>();
    for (FileStatus family : below(regions)) {
      // One key for each directory; its files are added below.
      all.put(key(family), new StoreDirectory(Map.of(), 0, family.getModificationTime()));
    }
    Amount found = Amount.NONE;
    List<Map.Entry<String, StoreDirectory>> families = List.copyOf(all.entrySet());
    List<Listed> listed = workers.map(families, this::files);
    for (int i = 0; i < families.size(); i++) {
      all.put(families.get(i).getKey(), listed.get(i).directory);
      found = found.plus(listed.get(i).found);
    }
    return new Archive(all, found, List.copyOf(hollow));
  }

  /** The directories in directories. */
  private List<FileStatus> below(List<FileStatus> parents) throws IOException {
    List<List<FileStatus>> entries = workers.map(parents, parent -> root.list(parent.getPath()));
    List<FileStatus> found = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).isEmpty()) {
        FileStatus parent = parents.get(i);
        hollow.add(new Archive.Hollow(key(parent), parent.getModificationTime()));
      }
      found.addAll(directories(entries.get(i)));
    }
    return found;
  }

  private List<FileStatus> directories(List<FileStatus> entries) {
    List<FileStatus> directories = new ArrayList<>();
    for (FileStatus entry : entries) {
      if (entry.isDirectory()) {
        directories.add(entry);
      } else {
        unknown.add(root.relative(entry));
      }
    }
    return directories;
  }

  private record Listed(StoreDirectory directory, Amount found) {}

  private Listed files(Map.Entry<String, StoreDirectory> family) throws IOException {
    Map<String, StoredFile> files = new HashMap<>();
    Amount found = Amount.NONE;
    int others = 0;
    for (FileStatus entry : root.list(root.archived(family.getKey()))) {
      String name = entry.getPath().getName();
      if (entry.isFile() && (StoreFilePath.isHFile(name) || StoreFilePath.isReference(name))) {
        StoredFile file = new StoredFile(entry.getLen(), entry.getModificationTime());
        files.put(name, file);
        found = found.plus(file);
      } else {
        unknown.add(root.relative(entry));
        others++;
      }
    }
    return new Listed(new StoreDirectory(files, others, family.getValue().modified()), found);
  }

  private String key(FileStatus entry) {
    String archive = root.relative(root.archive());
    return root.relative(entry.getPath()).substring(archive.length() + 1);
  }
}
