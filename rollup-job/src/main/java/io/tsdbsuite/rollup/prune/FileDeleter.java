package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;

/** Deletes files. */
interface FileDeleter {
  /**
   * Deletes files; a file that does not exist counts as deleted.
   *
   * @param deleted receives each deleted file, in any thread, also before a failure
   * @return the files that were not deleted, each with the reason
   * @throws IOException when it is unknown which of the files that {@code deleted} has not received
   *     were deleted
   */
  Map<Path, String> delete(List<Path> files, Consumer<Path> deleted) throws IOException;
}
