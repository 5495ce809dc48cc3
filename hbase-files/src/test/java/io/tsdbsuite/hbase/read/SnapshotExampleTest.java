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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example on the first page of hbase-files: it reads a snapshot, and is this code. */
class SnapshotExampleTest {
  private static final int ROWS = 1000;

  @TempDir Path directory;

  @Test
  void theExampleReadsEveryRow() throws IOException {
    Random random = Seed.random();
    Format format = Format.random(random);
    List<KeyValue> cells = TestHFile.cells(random, new Contents(0, ROWS, 0, 0), format);
    TestSnapshot.write(directory, "night", List.of(), format, cells);
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
}
