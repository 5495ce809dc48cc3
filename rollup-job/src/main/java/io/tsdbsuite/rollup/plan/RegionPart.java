package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.read.RegionFiles;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * A range of rows of one region.
 *
 * @param region HBase's encoded name of the region
 * @param startRow first row, inclusive; empty for the start of the table
 * @param stopRow last row, exclusive; empty for the end of the table
 * @param files the region's store files that may contain rows of the window
 * @param sequential whether most blocks of the range are in the window
 */
public record RegionPart(
    String region, byte[] startRow, byte[] stopRow, List<SnapshotFile> files, boolean sequential)
    implements Serializable {
  /**
   * Opens the HFiles of the range.
   *
   * @throws JobException bad input, when the end of an HFile is corrupt
   * @throws IOException when storage fails
   */
  public RegionFiles open(ReadSource source, ReadTracker tracker) throws IOException {
    try {
      return RegionFiles.open(source, files, sequential, tracker);
    } catch (IOException | RuntimeException e) {
      if (tracker.hasStorageFailed()) {
        throw e;
      }
      throw JobException.badInput(tracker.describe(e), e);
    }
  }
}
