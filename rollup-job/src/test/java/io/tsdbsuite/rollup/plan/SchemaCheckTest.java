package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.read.HFileIndex;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A configuration of another table is refused, a good table with odd rows is not. */
class SchemaCheckTest {
  private static final long FROM = 1763424000;
  private static final long TO = FROM + 86400;
  private static final byte[] EDGE = {};
  private static final StorageSchema PLAIN = StorageSchema.defaults();
  private static final StorageSchema SALTED = schema("tsd.storage.salt.width=1");

  @TempDir java.nio.file.Path directory;

  private int files;

  private static StorageSchema schema(String config) {
    return StorageSchema.from(TsdConfig.parse(config.replace(' ', '\n')));
  }

  private static SortedSet<byte[]> rows(StorageSchema schema) {
    TreeSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
    RowKey keys = new RowKey(schema);
    for (int metric = 1; metric <= 3; metric++) {
      for (int hour = 0; hour < 24; hour++) {
        for (int tag = 1; tag <= 3; tag++) {
          byte[] pair = new byte[schema.tagkWidth() + schema.tagvWidth()];
          pair[schema.tagkWidth() - 1] = 1;
          pair[pair.length - 1] = (byte) tag;
          byte[] uid = new byte[schema.metricWidth()];
          uid[uid.length - 1] = (byte) metric;
          rows.add(keys.encode(uid, FROM + hour * 3600L, pair));
        }
      }
    }
    return rows;
  }

  private Snapshot snapshot(List<SnapshotRegion> regions) throws IOException {
    Configuration conf = new Configuration();
    conf.set(HConstants.HBASE_DIR, directory.toUri().toString());
    return new Snapshot(
        "night",
        "tsdb",
        TO * 1000,
        true,
        conf,
        FileSystem.getLocal(conf).getRawFileSystem(),
        ColumnFamilyDescriptorBuilder.of("t"),
        regions);
  }

  private void check(StorageSchema schema, Iterable<byte[]> rows) throws IOException {
    Snapshot snapshot = snapshot(List.of());
    SchemaCheck check = new SchemaCheck(snapshot, schema, FROM, TO, false);
    SnapshotFile written = write(snapshot, directory.resolve("f" + files++), rows);
    check
        .keys()
        .look(written, HFileIndex.read(ReadSource.of(snapshot), written, new ReadTracker()));
    check.require();
  }

  private static SnapshotFile write(
      Snapshot snapshot, java.nio.file.Path file, Iterable<byte[]> rows) throws IOException {
    Path path = new Path(file.toUri());
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(snapshot.conf())
            .withPath(snapshot.fileSystem(), path)
            .withFileContext(new HFileContextBuilder().withBlockSize(512).build())
            .create()) {
      for (byte[] row : rows) {
        writer.append(new KeyValue(row, Bytes.toBytes("t"), new byte[2], 1L, new byte[1]));
      }
    }
    return new SnapshotFile(
        path.getName(), path.toString(), Files.size(file), SnapshotFile.Half.WHOLE, null);
  }

  /** As when nothing but changed rows is wanted. */
  @Test
  void whereNoFileWasOpenedSomeAre() throws IOException {
    String region = "0123456789abcdef0123456789abcdef";
    java.nio.file.Path family =
        directory.resolve("archive/data/default/tsdb").resolve(region).resolve("t");
    Files.createDirectories(family);
    SnapshotFile file = write(snapshot(List.of()), family.resolve(region), rows(SALTED));
    StoreFile named =
        StoreFile.newBuilder().setName(file.name()).setFileSize(file.length()).build();
    StoreFile gone = StoreFile.newBuilder().setName(region.replace('0', 'f')).build();
    Snapshot lacking =
        snapshot(List.of(new SnapshotRegion(region, EDGE, EDGE, List.of(named, gone))));
    assertThatCode(() -> new SchemaCheck(lacking, SALTED, FROM, FROM, false).require())
        .doesNotThrowAnyException();
    Snapshot whole = snapshot(List.of(new SnapshotRegion(region, EDGE, EDGE, List.of(named))));
    assertThatThrownBy(() -> new SchemaCheck(whole, PLAIN, FROM, FROM, false).require())
        .isInstanceOf(JobException.class)
        .hasMessageContaining("none of the row keys");
    assertThatCode(() -> new SchemaCheck(whole, SALTED, FROM, FROM, false).require())
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "tsd.storage.salt.width=0",
    "tsd.storage.salt.width=1",
    "tsd.storage.salt.width=1 tsd.storage.salt.buckets=7",
    "tsd.storage.uid.width.metric=4 tsd.storage.uid.width.tagv=4",
  })
  void theTablesOwnSchemaFits(String config) {
    StorageSchema schema = schema(config);
    assertThatCode(() -> check(schema, rows(schema))).doesNotThrowAnyException();
  }

  /** The schema of the table, and one that is not. */
  @ParameterizedTest
  @CsvSource({
    "tsd.storage.salt.width=1, tsd.storage.salt.width=0",
    "tsd.storage.salt.width=0, tsd.storage.salt.width=1",
    "tsd.storage.salt.width=2, tsd.storage.salt.width=1",
    "tsd.storage.uid.width.metric=3, tsd.storage.uid.width.metric=4",
    "tsd.storage.uid.width.metric=4, tsd.storage.uid.width.metric=3",
    "tsd.storage.uid.width.tagv=4, tsd.storage.uid.width.tagv=3",
    // Lengths tell nothing here.
    "tsd.storage.uid.width.tagk=1 tsd.storage.uid.width.tagv=1,"
        + "tsd.storage.uid.width.tagk=1 tsd.storage.uid.width.tagv=1 tsd.storage.salt.width=2",
  })
  void anotherSchemaIsRefused(String table, String config) {
    SortedSet<byte[]> rows = rows(schema(table));
    assertThatThrownBy(() -> check(schema(config), rows))
        .isInstanceOf(JobException.class)
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void theMessageNamesTheKeyAndWhatItWouldMean() {
    SortedSet<byte[]> rows = rows(SALTED);
    assertThatThrownBy(() -> check(PLAIN, rows))
        .hasMessageContaining("snapshot 'night' of table tsdb")
        .hasMessageContaining(HexFormat.of().formatHex(rows.first()))
        .hasMessageContaining("no salt, metric UID " + HexFormat.of().formatHex(rows.first(), 0, 3))
        .hasMessageContaining("7 bytes of tag pairs of 6")
        .hasMessageContaining("tsd.storage.salt.width (0)");
  }

  /** First and last rows of a good table may be of others, or of no series. */
  @Test
  void oddRowsAreNoReason() {
    SortedSet<byte[]> rows = rows(PLAIN);
    byte[] annotation = Bytes.add(new byte[3], Bytes.toBytes((int) FROM));
    rows.add(annotation);
    rows.add(Bytes.toBytes("!backup of somebody"));
    rows.add(Bytes.toBytes("zzz"));
    assertThatCode(() -> check(PLAIN, rows)).doesNotThrowAnyException();
    assertThat(rows.first()).isEqualTo(annotation);
    rows.remove(annotation);
    rows.add(new byte[] {0, 0});
    assertThatCode(() -> check(PLAIN, rows)).doesNotThrowAnyException();
  }

  @Test
  void annotationsAloneSayNothing() {
    assertThatCode(() -> check(PLAIN, List.of(Bytes.add(new byte[3], Bytes.toBytes((int) FROM)))))
        .doesNotThrowAnyException();
    assertThatCode(() -> check(PLAIN, List.of())).doesNotThrowAnyException();
  }

  @Test
  void timesThatNoPointHasAreRefused() {
    RowKey keys = new RowKey(PLAIN);
    byte[] early =
        keys.encode(new byte[] {0, 0, 1}, 3600 * 24 * 365, new byte[] {0, 0, 1, 0, 0, 1});
    byte[] late =
        keys.encode(new byte[] {0, 0, 1}, 3600L * 1_000_000, new byte[] {0, 0, 1, 0, 0, 1});
    assertThatThrownBy(() -> check(PLAIN, List.of(early, late)))
        .hasMessageContaining("base time must be from 2000-01-01T00:00:00Z to");
  }
}
