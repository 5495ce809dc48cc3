package io.tsdbsuite.bulk.write.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.write.BulkLoad;
import io.tsdbsuite.bulk.write.HFileWriter;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HFiles into tables of several regions, of every compression, and again after a kill. */
class BulkLoadIT {
  private static final int HOURS = 24;

  private static Installation start(
      String name, Compression.Algorithm compression, DataBlockEncoding encoding)
      throws IOException {
    return Installation.start(
        WriteStack.get(),
        name,
        tables -> tables.compression(compression).encoding(encoding).splits(splits()),
        "tsd.storage.salt.width",
        "1",
        "tsd.storage.salt.buckets",
        "8");
  }

  /** One region for each two buckets. */
  private static List<byte[]> splits() {
    return List.of(new byte[] {2}, new byte[] {4}, new byte[] {6});
  }

  private static List<Hour> hours(Installation in) {
    long seed = Seed.VALUE;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<Hour> hours = new ArrayList<>();
    for (int host = 0; host < 12; host++) {
      for (int hour = 0; hour < HOURS; hour++) {
        hours.add(Hour.of(in, "m", "h" + host, hour).random(random));
      }
    }
    return hours;
  }

  private static List<EncodedRow> rows(List<Hour> hours) {
    return hours.stream().map(Hour::encode).toList();
  }

  private static void compare(Installation in, List<Hour> hours) {
    for (int host = 0; host < 12; host++) {
      SortedMap<Long, Double> expected = new TreeMap<>();
      hours.subList(host * HOURS, (host + 1) * HOURS).forEach(h -> expected.putAll(h.answer));
      SortedMap<Long, Double> answer = in.ask("m", "h" + host);
      assertThat(answer.keySet()).isEqualTo(expected.keySet());
      assertThat(answer).isEqualTo(expected);
    }
  }

  private static List<Integer> storeFiles(Installation in) throws IOException {
    List<Integer> files = new ArrayList<>();
    try (Admin admin = in.hbase().connection().getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, TableName.valueOf(in.table()))) {
          files.add(region.getStoreFileCount());
        }
      }
    }
    return files;
  }

  @ParameterizedTest
  @CsvSource({"NONE, DIFF", "SNAPPY, FAST_DIFF", "ZSTD, NONE", "LZ4, PREFIX", "GZ, ROW_INDEX_V1"})
  void oneFileForEachRegion(Compression.Algorithm compression, DataBlockEncoding encoding)
      throws IOException {
    Installation in =
        start(
            ("regions-" + compression + "-" + encoding).toLowerCase(Locale.ROOT),
            compression,
            encoding);
    List<Hour> hours = hours(in);
    Loading loading = new Loading(in).hfiles(true);
    loading.run(rows(hours));
    int files = loading.loaded.files();
    assertThat(files).isBetween(2, 4);
    assertThat(loading.loaded.cells()).isEqualTo(hours.size());
    assertThat(storeFiles(in)).hasSize(4).allMatch(count -> count <= 1);
    compare(in, hours);
    in.hbase().majorCompact(in.table());
    compare(in, hours);
  }

  @Test
  void filesAreCutAtTheSizeLimit() throws IOException {
    Installation in = start("cut", Compression.Algorithm.NONE, DataBlockEncoding.NONE);
    List<Hour> hours = new ArrayList<>();
    for (int hour = 0; hour < HOURS; hour++) {
      Hour made = Hour.of(in, "m", "h0", hour);
      for (int second = 0; second < 3600; second++) {
        made.second(second, second + 0.5);
      }
      hours.add(made);
    }
    Loading loading = new Loading(in).hfiles(true);
    loading.maxFileBytes = 200_000;
    loading.run(rows(hours));
    assertThat(loading.loaded.files()).isGreaterThan(2);
    assertThat(loading.loaded.cells()).isEqualTo(HOURS);
    assertThat(in.hbase().digest(in.table()).cells()).isEqualTo(HOURS);
  }

  /** A region splits while files for it wait; a killed writer's files are replaced. */
  @Test
  void splitsAndKilledWritersAreNoMatter() throws IOException {
    Installation in = start("moving", Compression.Algorithm.NONE, DataBlockEncoding.DIFF);
    HBaseServer hbase = in.hbase();
    List<Hour> hours = hours(in);
    List<EncodedRow> rows = new ArrayList<>(rows(hours));
    rows.sort((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
    Configuration conf = hbase.clientConfiguration();
    TableFacts facts = TableFacts.read(hbase.connection(), in.table());
    CellTimestamps stamps = CellTimestamps.of(null, in.schema, Clock.systemUTC());
    HFileDir dir = BulkLoad.directory(conf, hbase.rootDir() + "/load", "moving");
    HFileWriter killed = new HFileWriter(dir, "r0", facts, Long.MAX_VALUE, Clock.systemUTC());
    for (EncodedRow row : rows.subList(0, rows.size() / 2)) {
      killed.write(row, stamps.of(row, in.keys));
    }
    try (HFileWriter writer =
        new HFileWriter(dir, "r0", facts, Long.MAX_VALUE, Clock.systemUTC())) {
      for (EncodedRow row : rows) {
        writer.write(row, stamps.of(row, in.keys));
      }
      writer.checkpoint();
    }
    int waiting = dir.waiting().size();
    hbase.split(in.table(), rows.get(rows.size() / 3).key());
    HFileLoader.Loaded loaded = new BulkLoad(conf, facts.name()).load(dir);
    assertThat(loaded.files()).isEqualTo(waiting);
    assertThat(loaded.cells()).isEqualTo(rows.size());
    assertThat(new BulkLoad(conf, facts.name()).load(dir).files()).isZero();
    compare(in, hours);
    assertThat(new Loading(in).run(rows).get(Count.POINTS_WRITTEN)).isZero();
    dir.remove();
  }

  @Test
  void twoCellsOfOneRowInAnyOrder() throws IOException {
    Installation in = start("two", Compression.Algorithm.NONE, DataBlockEncoding.DIFF);
    Hour first = Hour.of(in, "m", "h0", 0).milli(1, 1).milli(2, 2);
    Hour second = Hour.of(in, "m", "h0", 0).second(1, 3).second(2, 4);
    new Loading(in).hfiles(true).run(first, second);
    first.answer.putAll(second.answer);
    assertThat(in.ask("m", "h0")).isEqualTo(first.answer);
    Hour third = Hour.of(in, "m", "h1", 0).milli(1, 1).milli(2, 2);
    Hour fourth = Hour.of(in, "m", "h1", 0).second(1, 3).second(2, 4);
    assertThat(new Loading(in).run(third, fourth).get(Count.ROWS_WRITTEN)).isEqualTo(1);
    third.answer.putAll(fourth.answer);
    assertThat(in.ask("m", "h1")).isEqualTo(third.answer);
  }
}
