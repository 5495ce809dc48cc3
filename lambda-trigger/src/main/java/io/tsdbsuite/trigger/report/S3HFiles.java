package io.tsdbsuite.trigger.report;

import io.tsdbsuite.planner.report.HFileRuns;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.ObjectStore.StoredObject;
import io.tsdbsuite.trigger.s3.S3Location;
import java.io.IOException;
import java.util.Optional;

/**
 * The directories of HFiles on S3, one for each run, which reports name by {@code s3a://}. S3 has
 * no directories: one exists while it has objects. One that is not below the root does not exist,
 * because neither the functions nor the job may read it.
 *
 * @param root --hfile-dir of the runs
 */
public record S3HFiles(ObjectStore store, S3Location root) implements HFileRuns.Directories {
  @Override
  public boolean exists(String directory) {
    return place(directory)
        .filter(place -> !store.list(place, place.key() + "/").objects().isEmpty())
        .isPresent();
  }

  @Override
  public boolean hasFile(String directory, String name) throws IOException {
    Optional<StoredObject> file = place(directory).flatMap(place -> store.get(place.resolve(name)));
    if (file.isPresent()) {
      file.get().close();
    }
    return file.isPresent();
  }

  @Override
  public boolean isSame(String directory, String other) {
    return place(directory).isPresent() && place(directory).equals(place(other));
  }

  private Optional<S3Location> place(String directory) {
    try {
      return Optional.of(S3Location.parseHadoop(directory)).filter(place -> place.isBelow(root));
    } catch (IllegalArgumentException e) {
      // Of a run on another file system.
      return Optional.empty();
    }
  }
}
