package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;

/**
 * Names by UID, from 1 on, and rows of the UID table: metrics and tag values have 30 bytes, tag
 * keys are short.
 */
final class Names {
  /** Number of tag values, many more than series: lookups are spread over memory. */
  static final int TAGVS = 1_000_000;

  private static final int METRICS = 10_000;
  private static final String[] TAGKS = {"dc", "host"};
  private static final byte[] FAMILY = UidRow.nameFamily();

  private Names() {}

  /** The name of a UID. */
  static byte[] of(UidKind kind, int number) {
    String name =
        switch (kind) {
          case METRIC -> "app.http." + digits(number) + ".response_time";
          case TAGK -> TAGKS[number - 1];
          case TAGV -> "w" + digits(number) + ".eu-west-1.example.com";
        };
    return name.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Seven digits; a format would take most of the time for 20 million names. */
  private static String digits(int number) {
    return Integer.toString(10_000_000 + number % 10_000_000).substring(1);
  }

  /** Writes the names of 10,000 metrics, two tag keys and some tag values. */
  static void write(StoreFileWriter writer, int width, int tagvs) throws IOException {
    for (int number = 1; number <= Math.max(METRICS, tagvs); number++) {
      byte[] uid = Uids.bytes(number, width);
      if (number <= METRICS) {
        append(writer, uid, UidKind.METRIC, number);
      }
      if (number <= TAGKS.length) {
        append(writer, uid, UidKind.TAGK, number);
      }
      if (number <= tagvs) {
        append(writer, uid, UidKind.TAGV, number);
      }
    }
  }

  private static void append(StoreFileWriter writer, byte[] uid, UidKind kind, int number)
      throws IOException {
    writer.append(
        new KeyValue(uid, FAMILY, kind.qualifierBytes(), DataRows.START * 1000, of(kind, number)));
  }
}
