package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables of every compression and data block encoding are read right. */
class CodecsIT {
  private static final long TO = SmallData.FROM + 3 * SmallData.HOUR;

  private static SmallData data;
  private static List<RawCell> cells;

  @BeforeAll
  static void readCells() throws IOException {
    data = SmallData.get();
    cells =
        SharedStack.get().hbase().cells(SmallData.TABLE).stream()
            .filter(cell -> baseTime(cell) >= SmallData.FROM && baseTime(cell) < TO)
            .toList();
  }

  private static long baseTime(RawCell cell) {
    return ByteBuffer.wrap(cell.row()).getInt(3);
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, NONE",
    "NONE, ROW_INDEX_V1",
    "SNAPPY, FAST_DIFF",
    "SNAPPY, NONE",
    "LZ4, PREFIX",
    "ZSTD, DIFF",
    "ZSTD, ROW_INDEX_V1",
    "LZO, FAST_DIFF",
    "LZO, NONE",
    "GZ, PREFIX",
  })
  void readRight(Compression.Algorithm compression, DataBlockEncoding encoding) throws Exception {
    HBaseServer hbase = SharedStack.get().hbase();
    String table = ("codec-" + compression + "-" + encoding).toLowerCase(Locale.ROOT);
    SharedStack.get()
        .create(
            OpenTsdbTables.of(CorrectnessIT.conf("small"))
                .data(table)
                .compression(compression)
                .encoding(encoding));
    hbase.putCells(table, cells);
    hbase.snapshot(table, table + "-snapshot");
    Snapshot snapshot =
        new SnapshotLoader(new Configuration(), hbase.rootDir()).load(table + "-snapshot", "t");
    assertThat(snapshot.family().getCompressionType()).isEqualTo(compression);
    assertThat(snapshot.family().getDataBlockEncoding()).isEqualTo(encoding);
    for (String reader : List.of("auto", "merge")) {
      requireRight(table, reader);
    }
  }

  private static void requireRight(String table, String reader) throws Exception {
    JobRun run =
        new JobRun(TestFiles.directory(table + "-" + reader))
            .json()
            .reader(reader)
            .with(
                data.input(
                    SharedStack.get().hbase().rootDir(),
                    table + "-snapshot",
                    SmallData.UID_SNAPSHOT))
            .with(SmallData.window(SmallData.FROM, TO))
            .with("--tsd.storage.hbase.data_table=" + table)
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(data.answers(SmallData.FROM, TO), run.rollups())).isEmpty();
  }
}
