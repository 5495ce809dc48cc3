package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.rollup.plan.FileExtent.Stretch;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions of random regions: every row of the window is in one, and no day in two. */
class RegionDividerTest {
  private static final int ROUNDS = 400;
  private static final int HOUR = 3600;
  private static final int DAY = 24 * HOUR;
  private static final int START = 20_000 * DAY;
  private static final byte[] EDGE = {};

  private final RowWindow window =
      new RowWindow(
          StorageSchema.from(TsdConfig.parse("tsd.storage.uid.width.metric=1")),
          START + DAY,
          START + 3L * DAY);

  private Random random;

  /** A file of a region and its rows. */
  private record TestFile(String region, FileExtent extent, List<byte[]> rows) {}

  private final List<TestFile> files = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRowOfTheWindowIsInOnePartition(boolean wholeDays) {
    long seed = Seed.VALUE;
    random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      files.clear();
      List<RegionExtent> regions = regions();
      boolean shared = random.nextBoolean();
      long size = 1L + random.nextInt(shared ? 96 << 20 : 500);
      List<RollupPartition> partitions = new RegionDivider(window, wholeDays, size).divide(regions);
      String what = "seed " + seed + ", round " + round;
      check(partitions, wholeDays, what);
      checkShared(partitions, wholeDays, size, what);
    }
  }

  private void check(List<RollupPartition> partitions, boolean wholeDays, String what) {
    byte[] last = EDGE;
    long bytes = 0;
    for (int i = 0; i < partitions.size(); i++) {
      RollupPartition partition = partitions.get(i);
      assertThat(partition.index()).as(what).isEqualTo(i);
      assertThat(partition.parts()).as(what).isNotEmpty();
      for (RegionPart part : partition.parts()) {
        assertThat(Arrays.compareUnsigned(last, part.startRow())).as(what).isLessThanOrEqualTo(0);
        assertThat(part.files()).as(what).isNotEmpty();
        last = part.stopRow();
      }
      bytes += partition.windowBytes();
    }
    assertThat(bytes)
        .as(what)
        .isEqualTo(files.stream().mapToLong(file -> file.extent.windowBytes()).sum());
    Map<String, Integer> days = new HashMap<>();
    for (TestFile file : files) {
      for (byte[] row : file.rows) {
        if (window.contains(row, 0, row.length)) {
          int partition = partitionOf(partitions, file, row, what);
          String day = HexFormat.of().formatHex(window.startOfDay(row));
          Integer before = days.putIfAbsent(day, partition);
          assertThat(!wholeDays || before == null || before == partition).as(what).isTrue();
        }
      }
    }
  }

  /** Partitions share a task as far as the size allows, and no further. */
  private static void checkShared(
      List<RollupPartition> partitions, boolean wholeDays, long size, String what) {
    long limit = Math.min(size, 32L << 20);
    for (int i = 0; i < partitions.size(); i++) {
      RollupPartition partition = partitions.get(i);
      if (!wholeDays && partition.parts().size() > 1) {
        assertThat(cost(partition)).as(what).isLessThanOrEqualTo(limit);
      }
      if (i > 0) {
        assertThat(cost(partitions.get(i - 1)) + cost(partition)).as(what).isGreaterThan(limit);
      }
    }
  }

  @Test
  void aLargeWindowOfSmallRegionsHasAboutFiveHundredPartitions() {
    int count = 40_960;
    List<RegionExtent> regions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] start = i == 0 ? EDGE : border(i, count);
      byte[] end = i + 1 == count ? EDGE : border(i + 1, count);
      SnapshotRegion region = new SnapshotRegion("r" + i, start, end, List.of());
      byte[] row = ByteBuffer.allocate(11).put(border(i, count)).array();
      FileExtent file =
          new FileExtent(
              new SnapshotFile("f" + i, "file:/f" + i, 1, SnapshotFile.Half.WHOLE, null),
              100,
              100,
              1,
              List.of(new Stretch(row, 100)));
      regions.add(new RegionExtent(region, List.of(file)));
    }
    List<RollupPartition> partitions = new RegionDivider(window, false, 256L << 20).divide(regions);
    assertThat(partitions).hasSizeBetween(512, 520);
    assertThat(partitions.get(0).parts()).hasSize(80);
    assertThat(partitions.stream().mapToInt(partition -> partition.parts().size()).sum())
        .isEqualTo(count);
    assertThat(new RegionDivider(window, false, 40L << 20).divide(regions).get(0).parts())
        .hasSize(39);
  }

  /** Borders in one metric and one hour of the window: metric, base time, two bytes of a tag. */
  private static byte[] border(int number, int count) {
    return ByteBuffer.allocate(7)
        .put((byte) 1)
        .putInt(START + 2 * DAY)
        .putShort((short) (number * 65_536L / count))
        .array();
  }

  private static long cost(RollupPartition partition) {
    long files = partition.parts().stream().mapToInt(part -> part.files().size()).sum();
    return partition.windowBytes() + files * (1L << 20);
  }

  private static int partitionOf(
      List<RollupPartition> partitions, TestFile file, byte[] row, String what) {
    int found = -1;
    for (RollupPartition partition : partitions) {
      for (RegionPart part : partition.parts()) {
        boolean has =
            Arrays.compareUnsigned(part.startRow(), row) <= 0
                && (part.stopRow().length == 0 || Arrays.compareUnsigned(row, part.stopRow()) < 0);
        if (has) {
          assertThat(found).as(what).isEqualTo(-1);
          assertThat(part.region()).as(what).isEqualTo(file.region);
          assertThat(part.files()).as(what).contains(file.extent.file());
          found = partition.index();
        }
      }
    }
    assertThat(found).as(what).isNotEqualTo(-1);
    return found;
  }

  /**
   * Regions between borders of every kind; those that cannot have rows of the window are left out.
   */
  private List<RegionExtent> regions() {
    TreeSet<byte[]> borders = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = random.nextInt(12); i > 0; i--) {
      byte[] row = row();
      borders.add(Arrays.copyOf(row, 1 + random.nextInt(row.length)));
    }
    List<byte[]> edges = new ArrayList<>(borders);
    edges.add(EDGE);
    List<RegionExtent> regions = new ArrayList<>();
    byte[] start = EDGE;
    for (byte[] end : edges) {
      SnapshotRegion region = new SnapshotRegion("r" + files.size(), start, end, List.of());
      if (window.intersects(start, end)) {
        List<FileExtent> extents = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
          extents.add(file(region));
        }
        regions.add(new RegionExtent(region, extents));
      }
      start = end;
    }
    return regions;
  }

  private byte[] row() {
    return ByteBuffer.allocate(1 + 4 + 6)
        .put((byte) (1 + random.nextInt(3)))
        .putInt(START + random.nextInt(4 * 24) * HOUR)
        .put(10, (byte) random.nextInt(4))
        .array();
  }

  /** Blocks of some rows, of which those are stretches that can have rows of the window. */
  private FileExtent file(SnapshotRegion region) {
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = random.nextInt(150); i > 0; i--) {
      byte[] row = row();
      if (Arrays.compareUnsigned(row, region.startKey()) >= 0
          && (region.endKey().length == 0 || Arrays.compareUnsigned(row, region.endKey()) < 0)) {
        sorted.add(row);
      }
    }
    List<byte[]> rows = new ArrayList<>(sorted);
    List<Stretch> stretches = new ArrayList<>();
    long bytes = 0;
    int next = 0;
    while (next < rows.size()) {
      int from = next;
      next = Math.min(rows.size(), from + 1 + random.nextInt(20));
      byte[] last = rows.get(next < rows.size() ? next : next - 1);
      if (window.intersects(rows.get(from), Arrays.copyOf(last, last.length + 1))) {
        stretches.add(new Stretch(rows.get(from), 10 + random.nextInt(90)));
        bytes += stretches.get(stretches.size() - 1).bytes();
      }
    }
    String name = "f" + files.size();
    FileExtent extent =
        new FileExtent(
            new SnapshotFile(name, "file:/" + name, 1, SnapshotFile.Half.WHOLE, null),
            2 * bytes,
            bytes,
            1,
            stretches);
    files.add(new TestFile(region.encodedName(), extent, rows));
    return extent;
  }
}
