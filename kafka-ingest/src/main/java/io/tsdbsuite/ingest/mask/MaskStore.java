package io.tsdbsuite.ingest.mask;

import com.stumbleupon.async.Deferred;
import java.util.List;
import java.util.Map;

/** The masks in the coverage table; no method blocks. */
interface MaskStore {
  /** Name of the table. */
  String name();

  /** Whether the table exists; fails if it is not known. */
  Deferred<Boolean> exists();

  /**
   * Writes masks.
   *
   * @param rows the columns of each row
   */
  Deferred<Object> put(Map<String, List<String>> rows);

  /** Counts the masks. */
  Deferred<MaskTable.Size> size();

  /**
   * Reads the masks of a series' hour.
   *
   * @param hour its start, seconds since the epoch
   * @param tsuid in hex, upper case
   * @return the times of the cells, milliseconds since the epoch, by column
   */
  Deferred<Map<String, Long>> read(long hour, String metric, String tsuid);

  /**
   * Deletes cells of an hour's masks, up to the times that were read: one that was written again
   * since stays.
   */
  Deferred<Object> delete(long hour, String metric, Map<String, Long> cells);
}
