package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;

/** Deletes files. */
interface FileDeleter {
  /**
   * Deletes files; a file that does not exist counts as deleted.
   *
   * @return the files that were not deleted, each with the reason
   * @throws IOException when it is unknown which files were deleted
   */
  Map<Path, String> delete(List<Path> files) throws IOException;
}
