package io.tsdbsuite.rollup.tiers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.read.HFileIndex;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.rollup.tiers.FileBytes.Range;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes by the index of HFiles of HBase's own writer, beside those of their rows. */
class FileBytesTest {
  private static final long FROM = 1763424000;
  private static final int DAY = (int) (FROM / Tier.DAY);
  private static final int BLOCK_BYTES = 512;
  private static final byte[] EDGE = {};
  private static final Range ALL = new Range(EDGE, EDGE);

  @TempDir java.nio.file.Path directory;

  private final Configuration conf = new Configuration();

  /** Metrics 1 to 89 have names; days before {@code goesBefore} go. */
  private record Fates(int goesBefore) implements FileBytes.Metrics {
    @Override
    public boolean isKnown(long uid) {
      return uid > 0 && uid < 90;
    }

    @Override
    public boolean someGo() {
      return goesBefore > 0;
    }

    @Override
    public boolean goes(long uid, int day) {
      return day < goesBefore;
    }
  }

  /** A block by its index key, with the rows that are in it. */
  private record Block(byte[] key, long bytes, List<byte[]> rows) {}

  private record Read(TableBytes bytes, List<Block> blocks, int rowsRead) {}

  private static StorageSchema schema(int saltWidth) {
    return StorageSchema.from(
        TsdConfig.parse(
            "tsd.storage.salt.width=%s\ntsd.storage.salt.buckets=3".formatted(saltWidth)));
  }

  private static byte[] row(RowKey keys, int metric, long time, int tag) {
    byte[] pair = {0, 0, 1, 0, 0, (byte) tag};
    return keys.encode(Uids.bytes(metric, 3), time, pair);
  }

  private Read read(
      StorageSchema schema, Iterable<byte[]> rows, List<Range> ranges, FileBytes.Metrics fates)
      throws IOException {
    return read(schema, rows, ranges, fates, DataBlockEncoding.NONE);
  }

  private Read read(
      StorageSchema schema,
      Iterable<byte[]> rows,
      List<Range> ranges,
      FileBytes.Metrics fates,
      DataBlockEncoding encoding)
      throws IOException {
    Snapshot snapshot =
        new Snapshot(
            "night",
            "tsdb",
            FROM * 1000,
            true,
            conf,
            FileSystem.getLocal(conf).getRawFileSystem(),
            ColumnFamilyDescriptorBuilder.of("t"),
            List.of());
    java.nio.file.Path file = Files.createTempFile(directory, "hfile", "");
    Path path = new Path(file.toUri());
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(snapshot.fileSystem(), path)
            .withFileContext(
                new HFileContextBuilder()
                    .withBlockSize(BLOCK_BYTES)
                    .withDataBlockEncoding(encoding)
                    .build())
            .create()) {
      for (byte[] row : rows) {
        writer.append(new KeyValue(row, Bytes.toBytes("t"), new byte[2], 1L, new byte[1]));
      }
    }
    SnapshotFile written =
        new SnapshotFile(
            path.getName(), path.toString(), Files.size(file), SnapshotFile.Half.WHOLE, null);
    TableBytes bytes = new TableBytes();
    bytes.hfileBytes = written.length();
    FileBytes counted =
        new FileBytes(new Tier(null, snapshot, Map.of()), new RowKey(schema), ranges, fates, bytes);
    List<Block> blocks = new ArrayList<>();
    int[] rowsRead = {0};
    HFileIndex index =
        HFileIndex.readBlocks(
            ReadSource.of(snapshot),
            written,
            new ReadTracker(),
            (key, size, first) -> {
              blocks.add(new Block(key, size, new ArrayList<>()));
              counted.block(
                  key,
                  size,
                  () -> {
                    rowsRead[0]++;
                    return first.first();
                  });
            });
    counted.end(index.lastRow());
    int block = 0;
    for (byte[] row : rows) {
      while (block + 1 < blocks.size()
          && Arrays.compareUnsigned(blocks.get(block + 1).key(), row) <= 0) {
        block++;
      }
      blocks.get(block).rows().add(row);
    }
    assertThat(bytes.closes()).isTrue();
    assertThat(bytes.blocks).isEqualTo(blocks.stream().mapToLong(Block::bytes).sum());
    return new Read(bytes, blocks, rowsRead[0]);
  }

  private static String group(RowKey keys, byte[] row) {
    return keys.metricUid(row, 0) + " " + keys.baseTime(row, 0) / Tier.DAY;
  }

  private static Map<String, long[]> planned(TableBytes bytes) {
    Map<String, long[]> planned = new HashMap<>();
    bytes
        .stored
        .metrics()
        .forEach(
            (uid, days) -> {
              for (int day = days.first(); day < days.first() + days.days(); day++) {
                long[] kinds = {days.of(day, 0), days.of(day, 1), days.of(day, 2)};
                if (kinds[0] + kinds[2] > 0) {
                  planned.put(uid + " " + day, kinds);
                }
              }
            });
    return planned;
  }

  /** A metric's day in a salt bucket: its bytes, and the blocks with a row of it. */
  private static final class Piece {
    private double bytes;
    private int blocks;
  }

  /**
   * Each figure is exact but for the blocks that it names. What lies wholly in one block may be
   * missing.
   */
  private static void requireExact(RowKey keys, Read read) {
    Map<String, Map<String, Piece>> real = new HashMap<>();
    long mixed = 0;
    for (Block block : read.blocks()) {
      Set<Piece> found = new HashSet<>();
      for (byte[] row : block.rows()) {
        Piece piece =
            real.computeIfAbsent(group(keys, row), any -> new HashMap<>())
                .computeIfAbsent(Bytes.toHex(row, 0, keys.metricOffset()), any -> new Piece());
        piece.bytes += (double) block.bytes() / block.rows().size();
        piece.blocks += found.add(piece) ? 1 : 0;
      }
      mixed += found.size() > 1 ? block.bytes() : 0;
    }
    assertThat(read.bytes().straddling).isGreaterThanOrEqualTo(mixed);
    Map<String, long[]> planned = planned(read.bytes());
    real.forEach(
        (group, pieces) -> {
          long[] of = planned.getOrDefault(group, new long[3]);
          double bytes = pieces.values().stream().mapToDouble(piece -> piece.bytes).sum();
          double inOneBlock =
              pieces.values().stream()
                  .filter(piece -> piece.blocks == 1)
                  .mapToDouble(piece -> piece.bytes)
                  .sum();
          String what = "%s, real %s: %s".formatted(group, bytes, Arrays.toString(of));
          assertThat(bytes).as(what).isGreaterThan(of[0] - of[1] - 0.01);
          assertThat(bytes).as(what).isLessThan(of[0] + of[2] + inOneBlock + 0.01);
        });
    planned.forEach(
        (group, of) -> {
          if (!real.containsKey(group)) {
            assertThat(of[0] - of[1]).as("%s has no row", group).isZero();
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"0,NONE", "1,NONE", "2,FAST_DIFF", "0,DIFF"})
  void eachDayHasTheBytesOfItsRows(int saltWidth, DataBlockEncoding encoding) throws IOException {
    RowKey keys = new RowKey(schema(saltWidth));
    // Indexes of one level, and of several.
    for (int index : new int[] {128 << 10, 400, 150}) {
      conf.setInt("hfile.index.block.max.size", index);
      conf.setInt("hfile.index.block.min.entries", 2);
      TreeSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
      for (int metric = 1; metric <= 5; metric++) {
        for (int hour = 0; hour < 72; hour++) {
          for (int tag = 1; tag <= 6; tag++) {
            rows.add(row(keys, metric, FROM + hour * 3600L, tag));
          }
        }
      }
      Read read = read(schema(saltWidth), rows, List.of(ALL), new Fates(0), encoding);
      requireExact(keys, read);
      assertThat(read.blocks()).hasSizeGreaterThan(100);
      assertThat(planned(read.bytes())).hasSize(15);
      // Each of the metrics, and no block twice: rows are read at an end of a metric alone.
      assertThat(read.rowsRead()).isLessThanOrEqualTo(5 * (saltWidth == 0 ? 1 : 3));
      long first = 0;
      for (Block block : read.blocks()) {
        if (group(keys, block.rows().get(0)).equals("1 " + DAY)) {
          first += block.bytes();
        }
      }
      assertThat(planned(read.bytes()).get("1 " + DAY)[0])
          .as("hours without a gap count as if the rows were read")
          .isEqualTo(first);
    }
  }

  /** Sparse hours, metrics of one row, UIDs far apart. */
  @Test
  void randomRows() throws IOException {
    Random random = Seed.random();
    for (int i = 0; i < Seed.times(60, 1000); i++) {
      int saltWidth = random.nextInt(2);
      RowKey keys = new RowKey(schema(saltWidth));
      TreeSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
      int series = 1 + random.nextInt(20);
      for (int metric = 1; metric < 80; metric += 1 + random.nextInt(20)) {
        int step = 1 + random.nextInt(60);
        for (int hour = random.nextInt(48); hour < 400; hour += 1 + random.nextInt(step)) {
          for (int tag = 1 + random.nextInt(series); tag > 0; tag--) {
            rows.add(row(keys, metric, FROM + hour * 3600L, tag));
          }
        }
      }
      Read read = read(schema(saltWidth), rows, List.of(ALL), new Fates(0));
      try {
        requireExact(keys, read);
      } catch (AssertionError e) {
        throw new AssertionError(Seed.describe(i) + e.getMessage(), e);
      }
    }
  }

  /** HBase's key between metric 1 and metric 9 is that of metric 2, which has no row. */
  @Test
  void aShortenedKeyInventsNoMetric() throws IOException {
    RowKey keys = new RowKey(schema(0));
    List<byte[]> rows = new ArrayList<>();
    for (int hour = 0; hour < 24; hour++) {
      rows.add(row(keys, 1, FROM + hour * 3600L, 1));
    }
    for (int hour = 0; hour < 24; hour++) {
      rows.add(row(keys, 9, FROM + hour * 3600L, 1));
    }
    Read read = read(schema(0), rows, List.of(ALL), new Fates(0));
    assertThat(planned(read.bytes())).containsOnlyKeys("1 " + DAY, "9 " + DAY);
  }

  @Test
  void whatIsOfNoMetricOfTheTableIsApart() throws IOException {
    RowKey keys = new RowKey(schema(0));
    List<byte[]> rows = new ArrayList<>(List.of(new byte[keys.tagsOffset()]));
    for (int metric = 89; metric <= 91; metric++) {
      for (int hour = 0; hour < 24; hour++) {
        rows.add(row(keys, metric, FROM + hour * 3600L, 1));
      }
    }
    rows.add(new byte[] {(byte) 255, 1});
    TableBytes bytes = read(schema(0), rows, List.of(ALL), new Fates(0)).bytes();
    assertThat(bytes.stored.metrics()).containsOnlyKeys(89L);
    assertThat(bytes.unknown).isPositive().isLessThan(bytes.blocks);
    assertThat(bytes.outside).isZero();
  }

  /** A region owns the upper half of a file, whose other half no region of the snapshot has. */
  @Test
  void blocksOfOtherRegionsAreApart() throws IOException {
    RowKey keys = new RowKey(schema(0));
    List<byte[]> rows = new ArrayList<>();
    for (int hour = 0; hour < 240; hour++) {
      rows.add(row(keys, 1, FROM + hour * 3600L, 1));
    }
    byte[] middle = rows.get(120);
    Range upper = new Range(middle, EDGE);
    Range lower = new Range(EDGE, middle);
    TableBytes all = read(schema(0), rows, List.of(lower, upper), new Fates(0)).bytes();
    assertThat(all.outside).isZero();
    assertThat(all.regions.values().stream().mapToLong(region -> region.bytes).sum())
        .isEqualTo(all.blocks);
    assertThat(all.regionsToCompact()).isZero();
    // Of the first region all goes, or a part; of the second a part, all or nothing.
    TableBytes six = read(schema(0), rows, List.of(lower, upper), new Fates(DAY + 6)).bytes();
    assertThat(six.regionsToCompact()).isEqualTo(2);
    assertThat(six.regionsEmptied()).isEqualTo(1);
    TableBytes ten = read(schema(0), rows, List.of(lower, upper), new Fates(DAY + 10)).bytes();
    assertThat(ten.regionsEmptied()).isEqualTo(2);
    TableBytes four = read(schema(0), rows, List.of(lower, upper), new Fates(DAY + 4)).bytes();
    assertThat(four.regionsToCompact()).isEqualTo(1);
    assertThat(four.regionsEmptied()).isZero();
    four.add(ten);
    assertThat(four.regionsToCompact()).isEqualTo(2);
    assertThat(four.regionsEmptied()).isZero();
    TableBytes half = read(schema(0), rows, List.of(upper), new Fates(0)).bytes();
    TableBytes other = read(schema(0), rows, List.of(lower), new Fates(0)).bytes();
    assertThat(half.outside).isBetween(all.blocks * 2 / 5, all.blocks * 3 / 5);
    // The block with the middle row is in both.
    assertThat(half.outside + other.outside).isBetween(all.blocks - 2 * BLOCK_BYTES, all.blocks);
    assertThat(planned(half).keySet()).doesNotContain("1 " + DAY).contains("1 " + (DAY + 9));
  }

  @Test
  void onlyBlocksOverTheEndOfWhatGoesAreUncertain() throws IOException {
    RowKey keys = new RowKey(schema(0));
    List<byte[]> rows = new ArrayList<>();
    for (int hour = 0; hour < 240; hour++) {
      rows.add(row(keys, 1, FROM + hour * 3600L, 1));
    }
    TableBytes none = read(schema(0), rows, List.of(ALL), new Fates(0)).bytes();
    assertThat(none.straddling).isPositive();
    assertThat(none.uncertain).isZero();
    TableBytes some = read(schema(0), rows, List.of(ALL), new Fates(DAY + 5)).bytes();
    assertThat(some.straddling).isEqualTo(none.straddling);
    assertThat(some.uncertain).isBetween(0L, 2L * BLOCK_BYTES);
    assertThat(read(schema(0), rows, List.of(ALL), new Fates(DAY + 50)).bytes().uncertain).isZero();
  }

  @Test
  void anEmptyFileHasOverheadAlone() throws IOException {
    TableBytes bytes = read(schema(0), List.of(), List.of(ALL), new Fates(0)).bytes();
    assertThat(bytes.blocks).isZero();
    assertThat(bytes.overhead()).isPositive();
  }
}
