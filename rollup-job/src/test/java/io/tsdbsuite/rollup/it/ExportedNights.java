package io.tsdbsuite.rollup.it;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.rollup.RollupKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.util.ToolRunner;

/**
 * Ten nights, exported by HBase's ExportSnapshot into one root, and the snapshot of an eleventh,
 * which is not exported.
 *
 * <p>The data table is a clone of {@link SmallData}'s (HFileLinks). Each night writes a part of the
 * same cells again, into HFiles of its own; some nights split a region (references, also to links).
 * In between the table is dropped and cloned again, so that HFiles of earlier nights are of no use
 * to later ones. Every night has the same points, and so the same rollups.
 */
final class ExportedNights {
  static final int NIGHTS = 10;
  static final String DATA_TABLE = "nights-data";
  static final String UID_TABLE = "nights-uid";

  /** Nights until the data table is cloned anew. */
  private static final int CLONED = 5;

  /** The UID table does not change, so each night exports this snapshot under a name of its own. */
  private static final String UID_SNAPSHOT = "nights-uid-snapshot";

  private static final Instant OLD = Instant.now().minus(Duration.ofDays(30));

  private final SmallData data = SmallData.get();
  private final HBaseServer hbase = SharedStack.get().hbase();
  private final Path work = TestFiles.directory("nights");
  private final Path root = work.resolve("backup");

  private static final class Holder {
    private static final ExportedNights NIGHTS = new ExportedNights();
  }

  static ExportedNights get() {
    return Holder.NIGHTS;
  }

  private ExportedNights() {
    // HBase prepares the next night meanwhile.
    ExecutorService exporter = Executors.newSingleThreadExecutor();
    try {
      List<Future<?>> exports = new ArrayList<>();
      List<RawCell> cells = hbase.cells(SmallData.TABLE);
      cloneTable(SmallData.UID_SNAPSHOT, UID_TABLE);
      hbase.snapshot(UID_TABLE, UID_SNAPSHOT);
      for (int i = 0; i <= NIGHTS; i++) {
        int night = i;
        take(night, cells);
        if (night < NIGHTS) {
          exports.add(
              exporter.submit(
                  () -> {
                    export(night, root, Map.of());
                    return null;
                  }));
        }
      }
      for (Future<?> export : exports) {
        export.get();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      exporter.shutdownNow();
    }
    age(root);
  }

  private void take(int night, List<RawCell> cells) throws IOException {
    if (night % CLONED == 0 && night < NIGHTS) {
      cloneTable(SmallData.DATA_SNAPSHOT, DATA_TABLE);
    }
    hbase.putCells(DATA_TABLE, part(cells, night));
    hbase.flush(DATA_TABLE);
    if (night % CLONED == 1) {
      hbase.split(DATA_TABLE, row(night));
    }
    hbase.snapshot(DATA_TABLE, snapshot(DATA_TABLE, night));
  }

  private void cloneTable(String snapshot, String table) throws IOException {
    TableName name = TableName.valueOf(table);
    try (Admin admin = hbase.connection().getAdmin()) {
      if (admin.tableExists(name)) {
        admin.disableTable(name);
        admin.deleteTable(name);
      }
      admin.cloneSnapshot(snapshot, name);
    }
  }

  private static List<RawCell> part(List<RawCell> cells, int night) {
    List<RawCell> part = new ArrayList<>();
    for (int i = night; i < cells.size(); i += NIGHTS + 1) {
      part.add(cells.get(i));
    }
    return part;
  }

  /** A row in the middle of a region that no earlier night has split. */
  private byte[] row(int night) {
    long hour = SmallData.FROM + SmallData.HOUR * (2 + night);
    RollupKey key = data.answers(hour, hour + SmallData.HOUR).keySet().iterator().next();
    return data.row(key);
  }

  static String date(int night) {
    return "2026-11-%02d".formatted(night + 1);
  }

  static String snapshot(String table, int night) {
    return table + "-" + date(night).replace("-", "");
  }

  /** Exports both snapshots of a night and writes its marker. */
  void export(int night, Path target, Map<String, String> settings) throws IOException {
    for (String table : List.of(DATA_TABLE, UID_TABLE)) {
      Configuration conf = hbase.clientConfiguration();
      conf.set("hadoop.tmp.dir", work.resolve("hadoop").toString());
      conf.set("mapreduce.jobtracker.staging.root.dir", work.resolve("staging").toString());
      // The default polls the copying once a second.
      conf.set("mapreduce.client.progressmonitor.pollinterval", "20");
      settings.forEach(conf::set);
      int code = export(conf, table, night, target);
      if (code != 0 && settings.isEmpty()) {
        // HBase archives HFiles while it prepares the next night. ExportSnapshot fails when that
        // happens between its opening of a file and its question for the file's permissions;
        // export-snapshots.sh repeats it too.
        code = export(conf, table, night, target, "-overwrite");
      }
      if (code != 0) {
        throw new IOException("ExportSnapshot of " + snapshot(table, night) + ": " + code);
      }
    }
    Path marker = target.resolve("_EXPORTED").resolve(date(night) + ".json");
    Files.createDirectories(marker.getParent());
    Files.writeString(
        marker,
        "{\"v\":1,\"date\":\"%s\",\"dataSnapshot\":\"%s\",\"uidSnapshot\":\"%s\"}"
            .formatted(date(night), snapshot(DATA_TABLE, night), snapshot(UID_TABLE, night)));
  }

  private static int export(
      Configuration conf, String table, int night, Path target, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-snapshot",
                table.equals(UID_TABLE) ? UID_SNAPSHOT : snapshot(table, night),
                "-target",
                snapshot(table, night),
                "-copy-to",
                target.toUri().toString(),
                "-no-checksum-verify",
                "-mappers",
                "1"));
    arguments.addAll(List.of(more));
    try {
      return ToolRunner.run(conf, new ExportSnapshot(), arguments.toArray(String[]::new));
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** A copy of the ten nights, a month old. */
  Path copy(Path target) {
    TestFiles.copy(root, target);
    age(target);
    return target;
  }

  /** The same without Hadoop's checksum files, as the objects of a bucket. */
  Path copyObjects(Path target) throws IOException {
    copy(target);
    try (Stream<Path> files = Files.walk(target)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".crc")).toList()) {
        Files.delete(file);
      }
    }
    return target;
  }

  static void age(Path tree) {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(OLD));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files of a fresh export of some nights. */
  SortedSet<String> freshExport(int... nights) throws IOException {
    Path fresh = TestFiles.directory("fresh");
    for (int night : nights) {
      export(night, fresh, Map.of());
    }
    return files(fresh);
  }

  /** All files below a root with their sizes, and directories that are empty. */
  static SortedSet<String> files(Path root) throws IOException {
    SortedSet<String> all = new TreeSet<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        String name = root.relativize(file).toString();
        if (Files.isRegularFile(file) && !name.endsWith(".crc")) {
          all.add(name + " " + Files.size(file));
        } else if (Files.isDirectory(file) && isEmpty(file)) {
          all.add(name + "/");
        }
      }
    }
    return all;
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  /** Options of a rollup of a night's whole data. */
  String[] input(String rootUri, int night) {
    List<String> options = new ArrayList<>();
    options.addAll(
        List.of(data.input(rootUri, snapshot(DATA_TABLE, night), snapshot(UID_TABLE, night))));
    options.add("--tsd.storage.hbase.data_table=" + DATA_TABLE);
    options.add("--tsd.storage.hbase.uid_table=" + UID_TABLE);
    options.addAll(List.of(SmallData.window(SmallData.START, SmallData.END)));
    return options.toArray(String[]::new);
  }
}
