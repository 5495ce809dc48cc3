package io.tsdbsuite.ingest.store;

import java.io.IOException;

/** Results of scans, for tests of other packages. */
public final class TestOtherWidths {
  private TestOtherWidths() {}

  /** The result for a table whose scan failed. */
  public static OtherWidths notScanned(String table) {
    OtherWidths result = new OtherWidths(1, -1);
    result.failed(table, new IOException("refused"));
    return result;
  }
}
