package io.tsdbsuite.ingest.mask;

import com.stumbleupon.async.Deferred;
import java.util.List;
import java.util.Map;

/** What a {@link MaskWriter} needs of the coverage table; no method blocks. */
interface MaskStore {
  /** Name of the table. */
  String name();

  /** Whether the table exists. */
  Deferred<Boolean> exists();

  /**
   * Writes masks.
   *
   * @param rows the columns of each row
   */
  Deferred<Object> put(Map<String, List<String>> rows);

  /** Counts the masks. */
  Deferred<MaskTable.Size> size();
}
