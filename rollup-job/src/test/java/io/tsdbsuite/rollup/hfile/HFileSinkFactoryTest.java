package io.tsdbsuite.rollup.hfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.sink.SinkException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** The directory of a run: which files stay in it, and when it goes. */
class HFileSinkFactoryTest {
  private static final byte[] EDGE = {};
  private static final byte[] SECOND = HexFormat.of().parseHex("000002");

  @TempDir Path dir;

  private final Configuration conf = HBaseConfiguration.create();

  private HFileSinkFactory factory() {
    return factory(RecordsTest.ROLLUPS, HistogramCodecs.NONE);
  }

  private HFileSinkFactory factory(RollupConfig rollups, HistogramCodecs codecs) {
    HFileSinkOptions options =
        new HFileSinkOptions(
            dir.toUri().toString(),
            "run",
            StorageSchema.defaults(),
            List.of(rollups.interval("1h")),
            rollups,
            codecs);
    HFileSinkFactory factory =
        new HFileSinkFactory(
            options,
            conf,
            name ->
                new TargetTable(
                    name,
                    ColumnFamilyDescriptorBuilder.toByteArray(
                        ColumnFamilyDescriptorBuilder.of("t")),
                    new byte[][] {EDGE, SECOND}));
    factory.asOf(42);
    return factory;
  }

  /** Of a row of the second region. */
  private static Iterator<Tuple2<byte[], byte[]>> records(HFileSinkFactory factory) {
    RecordSink sink = factory.open(0, 1);
    byte[] row = RecordsTest.row("000003", RecordsTest.DAY, "000001000002");
    sink.emit(RecordsTest.point(row, RecordsTest.DAY, 1));
    return List.of(sink.poll()).iterator();
  }

  /** The report of a stopped run has it. */
  @Test
  void eachRollupHasFourCellsAtLeast() {
    assertThat(factory().leastMessages(7)).isEqualTo(28);
  }

  /** A rollup may be a histogram alone; each region of both tables has a file. */
  @Test
  void histogramsHaveATableOfTheirOwn() throws Exception {
    HFileSinkFactory factory = factory(RecordsTest.histograms(), RecordsTest.codecs());
    factory.check();
    assertThat(factory.leastMessages(7)).isEqualTo(7);
    assertThat(factory.partitions().regions()).isEqualTo(4);
    RecordSink sink = factory.open(0, 1);
    byte[] row = RecordsTest.row("000003", RecordsTest.DAY, "000001000002");
    RollupPoint point = RecordsTest.point(row, RecordsTest.DAY, 1);
    point.rollup().histogram(HistogramCodecs.SKETCH, new byte[] {1});
    sink.emit(point);
    List<WrittenFile> files = new ArrayList<>();
    for (Tuple2<byte[], byte[]> each = sink.poll(); each != null; each = sink.poll()) {
      int partition = factory.partitions().getPartition(each._1());
      files.add(factory.write(conf, partition, 1, List.of(each).iterator()));
    }
    assertThat(files).extracting(WrittenFile::table).containsExactly("r", "h");
    assertThat(factory.written(files)).isEqualTo(5).isEqualTo(sink.finish().due());
    factory.commit(List.of(), new RunIdentity("rollup-job 1", Map.of("suite", "{}")));
    Manifest manifest =
        ManifestJson.read(Files.readAllBytes(dir.resolve("1-run").resolve("manifest.json")));
    assertThat(manifest.format()).isEqualTo(3);
    Manifest.Table table = manifest.tables().get(1);
    assertThat(table.level()).isEqualTo("1h.histogram");
    assertThat(table.rowSpan()).isEqualTo("1h");
    assertThat(table.ids()).isEqualTo(RecordsTest.codecs().ids());
    assertThat(table.cells()).isEqualTo(1);
  }

  /** Books count the cells of plain tables. */
  @Test
  void packedRowsHaveATableOfTheirOwn() throws Exception {
    HFileSinkFactory factory = factory(RecordsTest.packed(), HistogramCodecs.NONE);
    factory.check();
    assertThat(factory.leastMessages(7)).isEqualTo(28);
    assertThat(factory.partitions().regions()).isEqualTo(4);
    RecordSink sink = factory.open(0, 1);
    byte[] row = RecordsTest.row("000003", RecordsTest.DAY, "000001000002");
    sink.emit(RecordsTest.point(row, RecordsTest.DAY, 1));
    List<WrittenFile> files = new ArrayList<>();
    for (Tuple2<byte[], byte[]> each = sink.poll(); each != null; each = sink.poll()) {
      int partition = factory.partitions().getPartition(each._1());
      files.add(factory.write(conf, partition, 1, List.of(each).iterator()));
    }
    assertThat(files).extracting(WrittenFile::table).containsExactly("r", "x");
    assertThat(factory.written(files)).isEqualTo(4).isEqualTo(sink.finish().due());
    assertThat(factory.output()).containsEntry("packedParts", "1");
    factory.commit(List.of(), new RunIdentity("rollup-job 1", Map.of("suite", "{}")));
    Manifest manifest =
        ManifestJson.read(Files.readAllBytes(dir.resolve("1-run").resolve("manifest.json")));
    assertThat(manifest.format()).isEqualTo(4);
    assertThat(manifest.tables())
        .extracting(Manifest.Table::name, Manifest.Table::level, Manifest.Table::cells)
        .containsExactly(tuple("r", "1h", 4L), tuple("x", "1h.packed", 1L));
  }

  @Test
  void onlyTheAttemptThatCountsStays() throws Exception {
    HFileSinkFactory factory = factory();
    factory.check();
    WrittenFile late = factory.write(conf, 1, 11, records(factory));
    WrittenFile file = factory.write(conf, 1, 12, records(factory));
    assertThat(factory.write(conf, 0, 13, List.<Tuple2<byte[], byte[]>>of().iterator())).isNull();
    assertThat(file.name()).isEqualTo("v1_run-r1-a12-0000").isNotEqualTo(late.name());
    assertThat(file.cells()).isEqualTo(HFileSinkFactory.LEAST_CELLS);
    Path run = dir.resolve("1-run");
    // What an attempt leaves that was killed while it wrote.
    Files.writeString(run.resolve("r/_writing/v1_run-r0-a9-0000"), "half");
    assertThat(run.resolve("manifest.json")).doesNotExist();
    assertThat(factory.written(List.of(file))).isEqualTo(file.cells());
    factory.commit(List.of(), new RunIdentity("rollup-job 1", Map.of("--from", "then")));
    assertThat(run.resolve("r/t")).isDirectoryNotContaining("glob:**a11*");
    assertThat(run.resolve("r/t").resolve(file.name())).hasSize(file.bytes());
    assertThat(run.resolve("r/_writing")).doesNotExist();
    Manifest manifest = ManifestJson.read(Files.readAllBytes(run.resolve("manifest.json")));
    assertThat(manifest.stamp()).isEqualTo(42);
    assertThat(manifest.version()).isEqualTo("rollup-job 1");
    assertThat(manifest.options()).containsEntry("--from", "then");
    assertThat(manifest.tables().get(0).regions()).containsExactly("", "000002");
    assertThat(manifest.tables().get(0).files())
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(file);
  }

  @Test
  void aRunThatFailsRemovesItsOwnDirectoryAndNoOther() throws Exception {
    HFileSinkFactory first = factory();
    first.check();
    WrittenFile unused = first.write(conf, 1, 11, records(first));
    HFileSinkFactory second = factory();
    assertThatThrownBy(second::check)
        .isInstanceOf(SinkException.Fatal.class)
        .hasMessageContaining("must not exist");
    second.abort();
    assertThat(dir.resolve("1-run/r/t")).isNotEmptyDirectory();
    first.abort();
    assertThat(dir).isEmptyDirectory();
  }

  /** Nothing that has been finished outlives a run that has not written its manifest. */
  @Test
  void nothingCanBeResumed() {
    assertThat(factory().keepsFinished()).isFalse();
    assertThat(factory().wantsNames()).isFalse();
  }
}
