package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.rollup.job.Names;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;

/** UID tables with names of 30 bytes and the encoding of create_table.sh (DIFF). */
final class JobNames {
  /** Number of tag values, many more than {@link JobRows} uses: lookups are spread over memory. */
  static final int TAGVS = 1_000_000;

  private static final int METRICS = 10_000;
  private static final byte[] FAMILY = UidRow.nameFamily();

  private JobNames() {}

  /**
   * Creates a UID table and its snapshot.
   *
   * @param width of all UIDs, bytes
   * @param tagvs number of named tag values; there are 10,000 metrics and two tag keys
   */
  static void write(
      Configuration conf,
      java.nio.file.Path root,
      String snapshot,
      int width,
      int tagvs,
      int regions)
      throws IOException {
    List<TestTable.Region> all = new ArrayList<>();
    for (int i = 0; i < regions; i++) {
      int from = 1 + (int) ((long) i * tagvs / regions);
      int to = 1 + (int) ((long) (i + 1) * tagvs / regions);
      all.add(
          new TestTable.Region(
              i == 0 ? new byte[0] : uid(from, width),
              i == regions - 1 ? new byte[0] : uid(to, width),
              writer -> write(writer, width, from, to)));
    }
    TestTable.write(
        conf,
        root,
        "uid-" + snapshot,
        UidRow.NAME_FAMILY,
        snapshot,
        Compression.Algorithm.NONE,
        DataBlockEncoding.DIFF,
        all);
  }

  private static byte[] uid(int number, int width) {
    return Uids.bytes(number, width);
  }

  private static void write(StoreFileWriter writer, int width, int from, int to)
      throws IOException {
    for (int number = from; number < to; number++) {
      if (number <= METRICS) {
        append(writer, UidKind.METRIC, number, width);
      }
      if (number <= Names.TAGKS) {
        append(writer, UidKind.TAGK, number, width);
      }
      append(writer, UidKind.TAGV, number, width);
    }
  }

  private static void append(StoreFileWriter writer, UidKind kind, int number, int width)
      throws IOException {
    byte[] name = Names.of(kind, number);
    writer.append(
        new KeyValue(
            uid(number, width), FAMILY, kind.qualifierBytes(), TableRows.START * 1000, name));
  }
}
