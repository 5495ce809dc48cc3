package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.rollup.plan.ChangedRowPlanner.RegionWithFiles;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random rows, held against a sorted set of them. */
class ChangedRowSetTest {
  private static final int ROUNDS = 300;
  private static final int HOUR = 3600;
  private static final int DAY = 24 * HOUR;
  private static final int START = 20_000 * DAY;
  private static final byte[] EDGE = {};

  /** Keys without salt; where there is one it is as if the metric were wider. */
  private final StorageSchema schema =
      StorageSchema.from(
          TsdConfig.parse(
              "tsd.storage.uid.width.metric=1\ntsd.storage.uid.width.tagk=1\n"
                  + "tsd.storage.uid.width.tagv=1"));

  private Random random;

  private byte[] row(int time) {
    int pairs = 1 + random.nextInt(2);
    ByteBuffer row = ByteBuffer.allocate(5 + 2 * pairs);
    row.put((byte) (random.nextInt(8) == 0 ? 255 : 1 + random.nextInt(3))).putInt(START + time);
    for (int i = 0; i < pairs; i++) {
      row.put((byte) (i + 1)).put((byte) random.nextInt(4));
    }
    return row.array();
  }

  private byte[] row() {
    return row(random.nextInt(72) * HOUR);
  }

  private static byte[] at(byte[] row, int time) {
    return ByteBuffer.wrap(row.clone()).putInt(1, time).array();
  }

  private static int time(byte[] row) {
    return ByteBuffer.wrap(row).getInt(1);
  }

  /** What is to be read for rows that have changed. */
  private static NavigableSet<byte[]> wanted(List<byte[]> changed, boolean wholeDays) {
    NavigableSet<byte[]> wanted = new TreeSet<>(Arrays::compareUnsigned);
    for (byte[] row : changed) {
      if (!wholeDays) {
        wanted.add(row);
      }
      for (int hour = 0; wholeDays && hour < 24; hour++) {
        wanted.add(at(row, time(row) - time(row) % DAY + hour * HOUR));
      }
    }
    return wanted;
  }

  private List<byte[]> changed() {
    List<byte[]> changed = new ArrayList<>();
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      changed.add(row());
    }
    return changed;
  }

  private ChangedRowSet rows(List<byte[]> changed, boolean wholeDays) {
    ChangedRowSetBuilder builder = new ChangedRowSetBuilder(schema, wholeDays);
    changed.forEach(builder::add);
    return builder.build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goesFromRowToRow(boolean wholeDays) {
    long seed = Seed.VALUE;
    random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      String what = "seed " + seed + ", round " + round;
      List<byte[]> changed = changed();
      NavigableSet<byte[]> wanted = wanted(changed, wholeDays);
      ChangedRowSet rows = rows(changed, wholeDays);
      TreeSet<byte[]> distinct = new TreeSet<>(Arrays::compareUnsigned);
      distinct.addAll(changed);
      assertThat(rows.changedRows()).as(what).isEqualTo(distinct.size());
      for (byte[] row : wanted) {
        assertThat(rows.contains(row, 0, row.length)).as(what).isTrue();
      }
      for (int i = 0; i < 50; i++) {
        // Also rows that are off the hour or cut off.
        byte[] row = row(random.nextInt(72) * HOUR + random.nextInt(3) / 2 * 100);
        row = Arrays.copyOf(row, 1 + random.nextInt(row.length));
        boolean has = wanted.contains(row);
        assertThat(rows.contains(row, 0, row.length)).as(what).isEqualTo(has);
        if (!has) {
          byte[] next = rows.nextAfter(row, 0, row.length);
          assertThat(next).as(what).isEqualTo(wanted.higher(row));
        }
        byte[] metric = {(byte) (row[0] + 1)};
        assertThat(rows.nextMetric(row, 0, row.length))
            .as(what)
            .isEqualTo(row[0] == -1 ? null : wanted.ceiling(metric));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRowIsInOnePartition(boolean wholeDays) {
    long seed = Seed.VALUE;
    random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      String what = "seed " + seed + ", round " + round;
      List<RegionWithFiles> regions = regions();
      List<byte[]> changed = withFiles(changed(), regions);
      // A task of several regions takes at least 1 MiB for each HFile.
      long size = 1L + random.nextInt(random.nextBoolean() ? 500_000 : 96 << 20);
      List<RollupPartition> partitions =
          new ChangedRowPlanner(schema, wholeDays, size)
              .partitions(regions, rows(changed, wholeDays), 7);
      int entries = 0;
      for (int i = 0; i < partitions.size(); i++) {
        RollupPartition partition = partitions.get(i);
        assertThat(partition.index()).as(what).isEqualTo(7 + i);
        entries += partition.late().size();
        for (int entry = 0; entry < partition.late().size(); entry++) {
          for (int hour = 0; hour < (wholeDays ? 24 : 1); hour++) {
            check(partition, regions, partition.late().row(entry, hour), what);
          }
        }
      }
      assertThat(entries).as(what).isEqualTo(rows(changed, wholeDays).size());
    }
  }

  /** A part of an hour may be in another bucket than that of its key. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyRowIsLookedUpInEveryBucket(boolean wholeDays) {
    StorageSchema salted =
        StorageSchema.from(
            TsdConfig.parse(
                "tsd.storage.uid.width.metric=1\ntsd.storage.uid.width.tagk=1\n"
                    + "tsd.storage.uid.width.tagv=1\ntsd.storage.salt.width=1\n"
                    + "tsd.storage.salt.buckets=3"));
    long seed = Seed.VALUE;
    random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      String what = "seed " + seed + ", round " + round;
      List<RegionWithFiles> regions = regions(3);
      ChangedRowSet rows = rows(changed(), wholeDays);
      int entries = 0;
      for (RollupPartition partition :
          new ChangedRowPlanner(salted, wholeDays, 1 + random.nextInt(1 << 20))
              .partitions(regions, rows, 0)) {
        entries += partition.late().size();
        for (int entry = 0; entry < partition.late().size(); entry++) {
          for (int hour = 0; hour < (wholeDays ? 24 : 1); hour++) {
            for (byte bucket = 0; bucket < 3; bucket++) {
              byte[] row = partition.late().row(entry, hour);
              check(partition, regions, Bytes.add(new byte[] {bucket}, row), what);
            }
          }
        }
      }
      assertThat(entries).as(what).isEqualTo(rows.size());
    }
  }

  /** The rows in regions with files: a row was found in one. */
  private static List<byte[]> withFiles(List<byte[]> rows, List<RegionWithFiles> regions) {
    return rows.stream()
        .filter(
            row ->
                regions.stream()
                    .filter(region -> !region.files().isEmpty())
                    .anyMatch(
                        region -> has(region.region().startKey(), region.region().endKey(), row)))
        .toList();
  }

  /** The partition reads the row from all files of its region, if there are any. */
  private static void check(
      RollupPartition partition, List<RegionWithFiles> regions, byte[] row, String what) {
    for (RegionWithFiles region : regions) {
      if (has(region.region().startKey(), region.region().endKey(), row)
          && !region.files().isEmpty()) {
        assertThat(partition.parts())
            .as(what)
            .filteredOn(part -> has(part.startRow(), part.stopRow(), row))
            .singleElement()
            .satisfies(part -> assertThat(part.files()).isEqualTo(region.files()));
      }
    }
  }

  private static boolean has(byte[] start, byte[] stop, byte[] row) {
    return Arrays.compareUnsigned(start, row) <= 0
        && (stop.length == 0 || Arrays.compareUnsigned(row, stop) < 0);
  }

  /** Whole tables of regions with up to two files. */
  private List<RegionWithFiles> regions() {
    return regions(0);
  }

  /**
   * @param buckets of salt, in which case each region has files; 0 for no salt
   */
  private List<RegionWithFiles> regions(int buckets) {
    TreeSet<byte[]> borders = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = random.nextInt(10); i > 0; i--) {
      byte[] row =
          buckets == 0 ? row() : Bytes.add(new byte[] {(byte) random.nextInt(buckets)}, row());
      borders.add(Arrays.copyOf(row, 1 + random.nextInt(row.length)));
    }
    List<byte[]> edges = new ArrayList<>(borders);
    edges.add(EDGE);
    List<RegionWithFiles> regions = new ArrayList<>();
    byte[] start = EDGE;
    for (byte[] end : edges) {
      String name = "r" + regions.size();
      List<SnapshotFile> files = new ArrayList<>();
      for (int i = buckets == 0 ? random.nextInt(3) : 2; i > 0; i--) {
        String file = name + "f" + i;
        files.add(new SnapshotFile(file, "/" + file, 1000, SnapshotFile.Half.WHOLE, null));
      }
      regions.add(new RegionWithFiles(new SnapshotRegion(name, start, end, List.of()), files));
      start = end;
    }
    return regions;
  }
}
