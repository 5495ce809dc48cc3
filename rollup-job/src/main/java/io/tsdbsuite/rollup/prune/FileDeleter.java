package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.StorageFailures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Deletes files, several requests at a time. A request is for a page of files where the file system
 * can do that (S3A since Hadoop 3.4.1), otherwise for one file (HDFS, local disks).
 */
final class FileDeleter {
  private final BackupRoot root;

  /** Null if a request is for one file. */
  private final @Nullable BulkDelete bulk;

  FileDeleter(BackupRoot root) throws IOException {
    this.root = root;
    this.bulk = bulk(root);
  }

  private static @Nullable BulkDelete bulk(BackupRoot root) throws IOException {
    try {
      BulkDelete bulk = root.files().createBulkDelete(root.path());
      return bulk.pageSize() > 1 ? bulk : null;
    } catch (LinkageError | UnsupportedOperationException e) {
      // Hadoop before 3.4.1 does not have it.
      return null;
    }
  }

  /**
   * Deletes files; a file that does not exist counts as deleted.
   *
   * @param deleted receives each deleted file, in any thread, also before a failure
   * @return the files that were not deleted, each with the reason
   * @throws IOException when it is unknown which of the files that {@code deleted} has not received
   *     were deleted
   */
  Map<Path, String> delete(List<Path> files, Consumer<Path> deleted) throws IOException {
    int size = bulk == null ? 1 : bulk.pageSize();
    List<List<Path>> pages = new ArrayList<>();
    for (int i = 0; i < files.size(); i += size) {
      pages.add(files.subList(i, Math.min(files.size(), i + size)));
    }
    Map<Path, String> failed = new HashMap<>();
    root.workers().map(pages, page -> deletePage(page, deleted)).forEach(failed::putAll);
    return failed;
  }

  /** A page that fails says nothing about the other pages. */
  private Map<Path, String> deletePage(List<Path> page, Consumer<Path> deleted) throws IOException {
    Map<Path, String> failed = new HashMap<>();
    if (bulk == null) {
      String problem = problem(page.get(0));
      if (problem != null) {
        failed.put(page.get(0), problem);
      }
    } else {
      bulk.bulkDelete(page).forEach(file -> failed.put(file.getKey(), file.getValue()));
    }
    page.stream().filter(file -> !failed.containsKey(file)).forEach(deleted);
    return failed;
  }

  /** Deletes one file; null if there was no problem. */
  private @Nullable String problem(Path file) {
    try {
      // Some file systems answer false for a missing permission as well as for a missing file.
      return root.files().delete(file, false) || !root.files().exists(file)
          ? null
          : "the file system refuses";
    } catch (IOException e) {
      return StorageFailures.reason(e);
    }
  }
}
