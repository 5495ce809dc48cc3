package io.tsdbsuite.bulk.spill;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Looks up the names of a series in runs, for messages. */
final class SeriesNameLookup {
  private SeriesNameLookup() {}

  /** Metric and tags in text; the TSUID in hex if no run has the series. */
  static String find(List<RunFile> runs, byte[] tsuid) throws IOException {
    BlockScratch scratch = new BlockScratch();
    for (RunFile run : runs) {
      try (SeriesCursor cursor = new SeriesCursor(run, scratch)) {
        while (cursor.advance()) {
          if (Arrays.equals(cursor.total.tsuid(), tsuid)) {
            return cursor.total.names();
          }
        }
      }
    }
    return "TSUID " + HexFormat.of().withUpperCase().formatHex(tsuid);
  }
}
