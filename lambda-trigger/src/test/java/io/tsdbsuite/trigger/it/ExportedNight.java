package io.tsdbsuite.trigger.it;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Real exports of two real snapshots, created once for all tests. The data table is a clone that
 * was split: its snapshot has HFileLinks, references to links, plain HFiles and an empty region.
 */
final class ExportedNight {
  static final String DATA = "tsdb-20261121";
  static final String UID = "tsdb-uid-20261121";

  /** Roots below the bucket, one for each way of exporting. */
  static final String PRISTINE = "pristine";

  static final String SKIP_TMP = "skip-tmp";
  static final String OVERWRITTEN = "overwritten";

  private static final String ORIGIN = "ns:origin";

  private final Instant begun = Instant.now();
  private final Map<String, List<String>> orders = new LinkedHashMap<>();
  private final Moto moto;
  private final HBaseServer hbase;
  private final S3Server s3;
  private final Backup backup;

  private static final class Holder {
    private static final ExportedNight NIGHT = new ExportedNight();
  }

  static ExportedNight get() {
    return Holder.NIGHT;
  }

  /** A time before both snapshots. */
  Instant begun() {
    return begun;
  }

  private ExportedNight() {
    Path dir = WorkDirs.fresh("night");
    CompletableFuture<Moto> starting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Moto.start(dir.resolve("moto.log"));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
              }
            });
    // Reference files of a split must live until the snapshot: no compaction of HBase's own.
    Stack stack =
        Stack.in(dir).hbase(Map.of("hbase.regionserver.compaction.enabled", "false")).s3().start();
    hbase = stack.hbase();
    s3 = stack.s3();
    backup = new Backup(s3);
    try {
      snapshots(hbase);
      exports(hbase);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    moto = starting.join();
  }

  private static void snapshots(HBaseServer hbase) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create("ns").build());
      create(admin, ORIGIN, List.of("t"), "m", "x");
      create(admin, "tsdb-uid", List.of("id", "name"));
      hbase.putCells(ORIGIN, cells("t", "a", "b", "c", "n", "o"));
      hbase.flush(ORIGIN);
      hbase.snapshot(ORIGIN, "origin-snapshot");
      admin.cloneSnapshot("origin-snapshot", TableName.valueOf("tsdb"));
    }
    hbase.split("tsdb", Bytes.toBytes("b"));
    hbase.putCells("tsdb", cells("t", "n", "p"));
    hbase.flush("tsdb");
    hbase.snapshot("tsdb", DATA);
    hbase.putCells("tsdb-uid", cells("id", "sys.cpu.user"));
    hbase.putCells("tsdb-uid", cells("name", "\0\0\1"));
    hbase.flush("tsdb-uid");
    hbase.snapshot("tsdb-uid", UID);
  }

  private static void create(Admin admin, String table, List<String> families, String... splits)
      throws IOException {
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(TableName.valueOf(table));
    families.forEach(
        family -> descriptor.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)));
    byte[][] rows = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      rows[i] = Bytes.toBytes(splits[i]);
    }
    admin.createTable(descriptor.build(), splits.length == 0 ? null : rows);
  }

  private static List<RawCell> cells(String family, String... rows) {
    List<RawCell> cells = new ArrayList<>();
    for (String row : rows) {
      cells.add(
          new RawCell(
              Bytes.toBytes(row), family, Bytes.toBytes("q"), 1_795_132_800_000L, new byte[100]));
    }
    return cells;
  }

  private void exports(HBaseServer hbase) throws IOException {
    Map<String, String> skipTmp = new LinkedHashMap<>(s3.s3aProperties());
    skipTmp.put("snapshot.export.skip.tmp", "true");
    bothAtOnce(
        () -> {
          hbase.exportSnapshot(DATA, uri(PRISTINE), s3.s3aProperties());
          hbase.exportSnapshot(UID, uri(PRISTINE), s3.s3aProperties());
        },
        () -> {
          hbase.exportSnapshot(DATA, uri(SKIP_TMP), skipTmp);
          hbase.exportSnapshot(UID, uri(SKIP_TMP), skipTmp);
        });
    orders.put(PRISTINE, byTime(PRISTINE));
    orders.put(SKIP_TMP, byTime(SKIP_TMP));
    backup.copyAll(PRISTINE, OVERWRITTEN);
    hbase.exportSnapshotAgain(DATA, uri(OVERWRITTEN), s3.s3aProperties());
    orders.put(OVERWRITTEN, byTime(OVERWRITTEN));
  }

  private static void bothAtOnce(Runnable first, Runnable second) {
    CompletableFuture.allOf(CompletableFuture.runAsync(first), CompletableFuture.runAsync(second))
        .join();
  }

  private static String uri(String root) {
    return "s3a://" + Backup.BUCKET + "/" + root;
  }

  /** The objects in the order in which the server finished them. */
  private List<String> byTime(String root) throws IOException {
    Map<String, Long> times = new LinkedHashMap<>();
    for (String key : backup.keys(root)) {
      Path file = s3.directory(Backup.BUCKET).resolve(root).resolve(key);
      times.put(key, Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS));
    }
    return times.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Keys below an exported root, in the order in which the export wrote them. */
  List<String> order(String root) {
    return orders.get(root);
  }

  Moto moto() {
    return moto;
  }

  HBaseServer hbase() {
    return hbase;
  }

  S3Server s3() {
    return s3;
  }

  Backup backup() {
    return backup;
  }
}
