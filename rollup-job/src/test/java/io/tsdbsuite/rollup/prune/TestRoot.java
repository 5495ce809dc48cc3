package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** A root as ExportSnapshot leaves it, with HFiles of ten bytes that are never read. */
class TestRoot {
  static final int BYTES = 10;
  static final String DATA = "tsdb";
  static final String UID = "tsdb-uid";

  private static final Instant OLD = Instant.parse("2026-01-01T00:00:00Z");

  private final Path root;

  TestRoot(Path root) {
    this.root = root;
  }

  Path path() {
    return root;
  }

  String uri() {
    return root.toUri().toString();
  }

  Path resolve(String path) {
    return root.resolve(path);
  }

  /** The name of a table's only region. */
  static String region(String table) {
    return info(table).getEncodedName();
  }

  private static RegionInfo info(String table) {
    return info(table, 0, 1);
  }

  /** A region of several. */
  static RegionInfo info(String table, int number, int regions) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf(table))
        .setStartKey(number == 0 ? new byte[0] : Bytes.toBytes(number))
        .setEndKey(number == regions - 1 ? new byte[0] : Bytes.toBytes(number + 1))
        .setRegionId(1)
        .build();
  }

  /** The path of a table's HFile below the root. */
  static String hfile(String table, String file) {
    StoreFilePath path = StoreFilePath.of(TableName.valueOf(table), region(table), "t", file);
    return "archive/data/" + path.directory() + "/" + path.file();
  }

  static String name(String table, String date) {
    return table.replace(':', '-') + "-" + date.replace("-", "");
  }

  /** A night of both tables with its marker; the UID table has one HFile for all nights. */
  void night(String date, String... files) throws IOException {
    snapshot(name(DATA, date), DATA, files);
    snapshot(name(UID, date), UID, "ffff");
    marker(date);
  }

  /** Nights in a row, each with an HFile of its own and the HFile of the night before it. */
  void nights(String first, int count) throws IOException {
    LocalDate date = LocalDate.parse(first);
    for (int i = 0; i < count; i++) {
      night(date.plusDays(i).toString(), "a%03d".formatted(i), "a%03d".formatted(i + 1));
    }
  }

  void marker(String date) throws IOException {
    write(
        "_EXPORTED/" + date + ".json",
        "{\"v\":1,\"date\":\"%s\",\"dataSnapshot\":\"%s\",\"uidSnapshot\":\"%s\"}"
            .formatted(date, name(DATA, date), name(UID, date)));
  }

  /** A snapshot and the HFiles that its manifest names. */
  void snapshot(String name, String table, String... files) throws IOException {
    manifest(".hbase-snapshot/" + name, name, table, files);
    for (String file : files) {
      write(hfile(table, file), "0123456789");
    }
  }

  /** Both files of a snapshot, without HFiles. */
  void manifest(String directory, String name, String table, String... files) throws IOException {
    manifest(directory, name, table, 1, region -> List.of(files));
  }

  /** The same with several regions. */
  void manifest(
      String directory, String name, String table, int regions, IntFunction<List<String>> files)
      throws IOException {
    SnapshotDataManifest.Builder manifest =
        SnapshotDataManifest.newBuilder()
            .setTableSchema(
                ProtobufUtil.toTableSchema(
                    TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("t"))
                        .build()));
    for (int i = 0; i < regions; i++) {
      manifest.addRegionManifests(
          SnapshotRegionManifest.newBuilder()
              .setRegionInfo(ProtobufUtil.toRegionInfo(info(table, i, regions)))
              .addFamilyFiles(family(files.apply(i))));
    }
    Path path = Files.createDirectories(root.resolve(directory));
    write(
        path.resolve(".snapshotinfo"),
        SnapshotDescription.newBuilder().setName(name).setTable(table).setVersion(2).build());
    write(path.resolve("data.manifest"), manifest.build());
  }

  private static FamilyFiles family(List<String> files) {
    FamilyFiles.Builder family =
        FamilyFiles.newBuilder().setFamilyName(UnsafeByteOperations.unsafeWrap(new byte[] {'t'}));
    for (String file : files) {
      StoreFile.Builder entry = StoreFile.newBuilder().setName(file).setFileSize(BYTES);
      if (file.contains(".")) {
        entry.setReference(Reference.createTopReference(new byte[] {7}).convert());
      }
      family.addStoreFiles(entry);
    }
    return family.build();
  }

  private static void write(Path file, Message message) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      message.writeTo(out);
    }
    old(file);
  }

  /** A file, as old as all. */
  Path write(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return old(Files.writeString(file, content));
  }

  private static Path old(Path file) throws IOException {
    return Files.setLastModifiedTime(file, FileTime.from(OLD));
  }

  /** Changes the age of a file or of a directory's files. */
  void touch(String path, Instant time) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve(path))) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(time));
      }
    }
  }

  void delete(String path) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve(path))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Paths of all files and empty directories below the root; checksum files are Hadoop's own. */
  SortedSet<String> tree() {
    SortedSet<String> tree = new TreeSet<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        boolean shown = Files.isRegularFile(file) || isEmpty(file);
        if (shown && !file.toString().endsWith(".crc")) {
          tree.add(root.relativize(file).toString());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return tree;
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  /** Reads a snapshot as the job does; throws when it is not whole. */
  void requireWhole(String name) throws IOException {
    Snapshot snapshot = new SnapshotLoader(new Configuration(), uri()).load(name, "t");
    StoreFileResolver resolver = new StoreFileResolver(snapshot);
    for (SnapshotRegion region : snapshot.regions()) {
      resolver.resolve(region);
    }
  }

  /** Whether readers take the directory for a snapshot. */
  boolean isSnapshot(String name) {
    return Files.exists(root.resolve(".hbase-snapshot/" + name + "/.snapshotinfo"));
  }
}
