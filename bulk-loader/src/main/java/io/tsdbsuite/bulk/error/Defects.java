package io.tsdbsuite.bulk.error;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Unexpected exceptions: neither other input nor another try is known to help. */
public final class Defects {
  private Defects() {}

  /**
   * A defect of the loader.
   *
   * @param problem the finding, without advice
   */
  public static JobException defect(String problem, @Nullable Throwable cause) {
    return JobException.defect("a defect of bulk-loader, please report it: " + problem, cause);
  }

  /**
   * Classifies a failure: a known one ({@link JobException#known}) stays as it is, a failure of a
   * disk or a network is outside, and any other failure is a defect.
   */
  public static JobException of(Throwable failure) {
    JobException known = JobException.known(failure);
    if (known != null) {
      return known;
    }
    if (failure instanceof UncheckedIOException) {
      return JobException.outside(StorageFailures.reason(failure), failure);
    }
    if (failure instanceof OutOfMemoryError) {
      return defect(failure + " (more --memory, or fewer --threads, may avoid it)", failure);
    }
    return defect(failure.toString(), failure);
  }
}
