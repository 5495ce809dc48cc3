package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** Requests for many files each: S3A since Hadoop 3.4.1. */
final class BulkDeleter implements FileDeleter {
  private final BulkDelete bulk;
  private final Workers workers;

  private BulkDeleter(BulkDelete bulk, Workers workers) {
    this.bulk = bulk;
    this.workers = workers;
  }

  /** A deleter; null if the file system deletes one file at a time. */
  static @Nullable FileDeleter of(BackupRoot root, Workers workers) throws IOException {
    BulkDelete bulk;
    try {
      bulk = root.files().createBulkDelete(root.path());
    } catch (LinkageError | UnsupportedOperationException e) {
      // Hadoop before 3.4.1 does not have it.
      return null;
    }
    return bulk.pageSize() > 1 ? new BulkDeleter(bulk, workers) : null;
  }

  @Override
  public Map<Path, String> delete(List<Path> files, Consumer<Path> deleted) throws IOException {
    List<List<Path>> pages = new ArrayList<>();
    for (int i = 0; i < files.size(); i += bulk.pageSize()) {
      pages.add(files.subList(i, Math.min(files.size(), i + bulk.pageSize())));
    }
    Map<Path, String> failed = new HashMap<>();
    for (Map<Path, String> page : workers.map(pages, page -> deletePage(page, deleted))) {
      failed.putAll(page);
    }
    return failed;
  }

  /** A page that fails says nothing about the other pages. */
  private Map<Path, String> deletePage(List<Path> page, Consumer<Path> deleted) throws IOException {
    Map<Path, String> failed = new HashMap<>();
    bulk.bulkDelete(page).forEach(file -> failed.put(file.getKey(), file.getValue()));
    page.stream().filter(file -> !failed.containsKey(file)).forEach(deleted);
    return failed;
  }
}
