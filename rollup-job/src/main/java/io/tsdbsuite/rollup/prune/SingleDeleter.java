package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.StorageFailures;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A request for each file, several at a time: HDFS, local disks, Hadoop before 3.4.1. */
final class SingleDeleter implements FileDeleter {
  private final FileSystem files;
  private final Workers workers;

  SingleDeleter(FileSystem files, Workers workers) {
    this.files = files;
    this.workers = workers;
  }

  @Override
  public Map<Path, String> delete(List<Path> paths, Consumer<Path> deleted) throws IOException {
    List<String> problems = workers.map(paths, path -> delete(path, deleted));
    Map<Path, String> failed = new HashMap<>();
    for (int i = 0; i < problems.size(); i++) {
      if (!problems.get(i).isEmpty()) {
        failed.put(paths.get(i), problems.get(i));
      }
    }
    return failed;
  }

  /** The problem; empty if there is none. */
  private String delete(Path path, Consumer<Path> deleted) {
    try {
      // Some file systems answer false for a missing permission as well as for a missing file.
      if (!files.delete(path, false) && files.exists(path)) {
        return "the file system refuses";
      }
    } catch (IOException e) {
      return StorageFailures.reason(e);
    }
    deleted.accept(path);
    return "";
  }
}
