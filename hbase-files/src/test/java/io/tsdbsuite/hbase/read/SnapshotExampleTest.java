package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.read.TestHFile.Contents;
import io.tsdbsuite.hbase.read.TestHFile.Format;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example on the first page of hbase-files: it reads a snapshot, and is this code. */
class SnapshotExampleTest {
  private static final TableName TABLE = TableName.valueOf("tsdb");
  private static final String HFILE = "00112233445566778899aabbccddeeff";
  private static final int ROWS = 1000;

  @TempDir Path directory;

  @Test
  void theExampleReadsEveryRow() throws IOException {
    writeSnapshot();
    List<Long> timestamps = new ArrayList<>();
    CellVisitor visitor =
        new CellVisitor() {
          @Override
          public void restart() {}

          @Override
          public void cell(
              byte[] qualifier,
              int qualifierOffset,
              int qualifierLength,
              byte[] value,
              int valueOffset,
              int valueLength,
              long timestamp) {
            timestamps.add(timestamp);
          }
        };
    String root = directory.toUri().toString();
    int count = 0;

    Snapshot snapshot = new SnapshotLoader(new Configuration(), root).load("night", "t");
    ReadSource source = ReadSource.of(snapshot);
    StoreFileResolver resolver = new StoreFileResolver(snapshot);
    for (SnapshotRegion region : snapshot.regions()) {
      List<SnapshotFile> hfiles = resolver.resolve(region);
      byte[] from = region.startKey();
      byte[] to = region.endKey();
      try (RegionFiles files = RegionFiles.open(source, hfiles, true, new ReadTracker());
          RowReader rows = RowReaders.open(source, files, from, to, true, ReadRanges.ALL)) {
        while (rows.peek()) {
          count += rows.read(visitor);
        }
      }
    }

    assertThat(count).isEqualTo(timestamps.size()).isGreaterThanOrEqualTo(ROWS);
  }

  @Test
  void theFirstPageHasThisCode() throws IOException {
    String page = source("main", "hbase/package-info.java");
    String example =
        page.substring(page.indexOf("{@code\n") + "{@code\n".length(), page.indexOf(" * }</pre>"));
    String code = example.replaceAll("(?m)^ \\* ", "    ");
    assertThat(code.lines()).hasSizeGreaterThan(10);
    assertThat(source("test", "hbase/read/SnapshotExampleTest.java")).contains(code);
  }

  private static String source(String kind, String file) throws IOException {
    return Files.readString(Path.of("src", kind, "java", "io", "tsdbsuite").resolve(file));
  }

  private void writeSnapshot() throws IOException {
    RegionInfo region = RegionInfoBuilder.newBuilder(TABLE).build();
    Path store =
        Files.createDirectories(
            directory.resolve("archive/data/default/tsdb/" + region.getEncodedName() + "/t"));
    Random random = Seed.random();
    Format format = Format.random(random);
    List<KeyValue> cells = TestHFile.cells(random, new Contents(0, ROWS, 0, 0), format);
    SnapshotFile file =
        TestHFile.write(TestHFile.source(new Configuration()), store.resolve(HFILE), format, cells);

    Path snapshot = Files.createDirectories(directory.resolve(".hbase-snapshot/night"));
    write(
        snapshot.resolve(".snapshotinfo"),
        SnapshotDescription.newBuilder().setName("night").setTable("tsdb").setVersion(2).build());
    write(
        snapshot.resolve("data.manifest"),
        SnapshotDataManifest.newBuilder()
            .setTableSchema(
                ProtobufUtil.toTableSchema(
                    TableDescriptorBuilder.newBuilder(TABLE)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                        .build()))
            .addRegionManifests(
                SnapshotRegionManifest.newBuilder()
                    .setRegionInfo(ProtobufUtil.toRegionInfo(region))
                    .addFamilyFiles(
                        FamilyFiles.newBuilder()
                            .setFamilyName(UnsafeByteOperations.unsafeWrap(new byte[] {'t'}))
                            .addStoreFiles(
                                StoreFile.newBuilder().setName(HFILE).setFileSize(file.length()))))
            .build());
  }

  private static void write(Path file, Message message) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      message.writeTo(out);
    }
  }
}
