package io.tsdbsuite.hbase.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.StorageException.Kind;
import io.tsdbsuite.hbase.snapshot.SnapshotFile.Half;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the files of a manifest are, by their names alone. */
class StoreFileResolverTest {
  private static final byte[] EDGE = {};
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String PARENT = "fedcba9876543210fedcba9876543210";
  private static final String HFILE = "00112233445566778899aabbccddeeff";

  @TempDir Path root;

  private Snapshot snapshot(String table, RawLocalFileSystem fs) throws IOException {
    Configuration conf = new Configuration();
    conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    fs.initialize(URI.create("file:///"), conf);
    return new Snapshot(
        "night", table, 0, true, conf, fs, ColumnFamilyDescriptorBuilder.of("t"), List.of());
  }

  private Path write(String below, String table, String region) throws IOException {
    Path family = root.resolve(below).resolve(table).resolve(region).resolve("t");
    Files.createDirectories(family);
    return Files.write(family.resolve(HFILE), new byte[10]);
  }

  private static SnapshotFile resolve(Snapshot snapshot, StoreFile file) throws IOException {
    SnapshotRegion region = new SnapshotRegion(REGION, EDGE, EDGE, List.of(file));
    return new StoreFileResolver(snapshot).resolve(region).get(0);
  }

  private static StoreFile plain(String name) {
    return StoreFile.newBuilder().setName(name).setFileSize(10).build();
  }

  private static StoreFile reference(String name) {
    return StoreFile.newBuilder()
        .setName(name)
        .setReference(Reference.createTopReference(new byte[] {7}).convert())
        .build();
  }

  private static Path path(SnapshotFile file) {
    return Path.of(new org.apache.hadoop.fs.Path(file.path()).toUri());
  }

  /** A colon is in no path. */
  @ParameterizedTest
  @ValueSource(strings = {"tsdb", "ns:tsdb"})
  void referencesOfATableInANamespace(String table) throws IOException {
    String directory = table.contains(":") ? "ns/tsdb" : "default/tsdb";
    Path file = write("archive/data", directory, PARENT);
    Snapshot snapshot = snapshot(table, new RawLocalFileSystem());
    SnapshotFile half = resolve(snapshot, reference(HFILE + "." + PARENT));
    assertThat(path(half)).isEqualTo(file);
    assertThat(half.half()).isEqualTo(Half.TOP);
    assertThat(half.splitRow()).containsExactly(7);
    assertThat(half.movedTo()).isNull();
  }

  @Test
  void linksAndReferencesToLinksIntoANamespace() throws IOException {
    Path file = write("archive/data", "ns/origin", PARENT);
    String link = "ns=origin=" + PARENT + "-" + HFILE;
    Snapshot snapshot = snapshot("other:clone", new RawLocalFileSystem());
    assertThat(path(resolve(snapshot, plain(link)))).isEqualTo(file);
    assertThat(path(resolve(snapshot, reference(link + "." + REGION)))).isEqualTo(file);
  }

  /** As if another HFile had been copied over that of the split region. */
  @Test
  void theHFileOfAReferenceHasAnotherLength() throws IOException {
    write("archive/data", "default/tsdb", PARENT);
    Snapshot snapshot = snapshot("tsdb", new RawLocalFileSystem());
    StoreFile reference = reference(HFILE + "." + PARENT);
    StoreFile same = reference.toBuilder().setFileSize(10).build();
    assertThat(resolve(snapshot, same).length()).isEqualTo(10);
    StoreFile other = reference.toBuilder().setFileSize(11).build();
    assertThatThrownBy(() -> resolve(snapshot, other))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("has 10 bytes where the manifest says 11")
        .extracting(e -> ((StorageException) e).kind())
        .isEqualTo(Kind.BAD_INPUT);
  }

  /** The name of the table begins as that of a reference does. */
  @Test
  void linksIntoATableWithADotAfterHexDigits() throws IOException {
    Path file = write("archive/data", "default/cafe.tsdb", PARENT);
    String link = "cafe.tsdb=" + PARENT + "-" + HFILE;
    Snapshot snapshot = snapshot("clone", new RawLocalFileSystem());
    SnapshotFile whole = resolve(snapshot, plain(link));
    assertThat(path(whole)).isEqualTo(file);
    assertThat(whole.half()).isEqualTo(Half.WHOLE);
    SnapshotFile half = resolve(snapshot, reference(link + "." + REGION));
    assertThat(path(half)).isEqualTo(file);
    assertThat(half.half()).isEqualTo(Half.TOP);
  }

  @Test
  void aLiveRootNamesBothPlaces() throws IOException {
    Path origin = write("data", "default/tsdb", REGION);
    Snapshot snapshot = snapshot("tsdb", new RawLocalFileSystem());
    SnapshotFile found = resolve(snapshot, plain(HFILE));
    assertThat(path(found)).isEqualTo(origin);
    Path archived = root.resolve("archive").resolve(root.relativize(origin));
    assertThat(Path.of(URI.create(found.movedTo()).getPath())).isEqualTo(archived);

    Files.createDirectories(archived.getParent());
    Files.move(origin, archived);
    SnapshotFile moved = resolve(snapshot, plain(HFILE));
    assertThat(path(moved)).isEqualTo(archived);
    assertThat(Path.of(URI.create(moved.movedTo()).getPath())).isEqualTo(origin);
  }

  @Test
  void theRootOfAFileSystemHasNoAuthority() {
    Configuration conf = new Configuration();
    conf.set(HConstants.HBASE_DIR, "file:///");
    RawLocalFileSystem fs = new RawLocalFileSystem();
    assertThatThrownBy(
            () -> {
              fs.initialize(URI.create("file:///"), conf);
              resolve(
                  new Snapshot(
                      "night",
                      "tsdb",
                      0,
                      true,
                      conf,
                      fs,
                      ColumnFamilyDescriptorBuilder.of("t"),
                      List.of()),
                  plain(HFILE));
            })
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("file:/archive/data/default/tsdb/" + REGION + "/t/" + HFILE);
  }

  /** HBase moves files from the first place to the second, never back. */
  @Test
  void aFileThatIsMovedBetweenTwoQuestionsIsFound() throws IOException {
    Path origin = write("data", "default/tsdb", REGION);
    Path archived = root.resolve("archive").resolve(root.relativize(origin));
    Files.createDirectories(archived.getParent());
    RawLocalFileSystem moving =
        new RawLocalFileSystem() {
          @Override
          public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
            try {
              return super.getFileStatus(path);
            } finally {
              if (path.getName().equals(HFILE) && Files.exists(origin)) {
                Files.move(origin, archived);
              }
            }
          }
        };
    SnapshotFile found = resolve(snapshot("tsdb", moving), plain(HFILE));
    assertThat(found.length()).isEqualTo(10);
    assertThat(List.of(path(found), Path.of(URI.create(found.movedTo()).getPath())))
        .contains(archived);
  }

  @Test
  void aFileThatIsNowhere() throws IOException {
    Snapshot snapshot = snapshot("ns:tsdb", new RawLocalFileSystem());
    assertThatThrownBy(() -> resolve(snapshot, plain(HFILE)))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("archive/data/ns/tsdb/" + REGION + "/t/" + HFILE)
        .extracting(e -> ((StorageException) e).kind())
        .isEqualTo(Kind.BAD_INPUT);
  }

  /** As EMRFS fails. */
  @Test
  void aRuntimeExceptionOfStorageIsOne() throws IOException {
    RawLocalFileSystem failing =
        new RawLocalFileSystem() {
          @Override
          public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) {
            throw new IllegalStateException("connection pool shut down");
          }
        };
    Snapshot snapshot = snapshot("tsdb", failing);
    assertThatThrownBy(() -> resolve(snapshot, plain(HFILE))).isInstanceOf(IOException.class);
  }
}
