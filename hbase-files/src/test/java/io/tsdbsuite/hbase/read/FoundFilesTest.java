package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.StorageException.Kind;
import io.tsdbsuite.hbase.read.TestHFile.Contents;
import io.tsdbsuite.hbase.read.TestHFile.Format;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotFile.Half;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a manifest are opened without a request for their status, and none is taken wrongly. */
class FoundFilesTest {
  /** Numbers of compressions in trailers. */
  private static final byte NO_CODEC = 2;

  private static final byte BROTLI = 8;

  @TempDir Path root;

  private final List<String> asked = new ArrayList<>();
  private boolean isBroken;
  private Snapshot snapshot;
  private StoreFileResolver resolver;
  private SnapshotRegion region;
  private StoreFile storeFile;
  private Path archived;
  private Path origin;

  /** Records what a file system is asked. */
  private final class Asked extends FilterFileSystem {
    Asked(FileSystem fs) {
      super(fs);
    }

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      asked.add("status " + place(path));
      return super.getFileStatus(path);
    }

    @Override
    public FutureDataInputStreamBuilder openFile(org.apache.hadoop.fs.Path path)
        throws IOException {
      asked.add("open " + place(path));
      if (isBroken) {
        throw new SocketTimeoutException("no answer");
      }
      return super.openFile(path);
    }

    private String place(org.apache.hadoop.fs.Path path) {
      return root.relativize(Path.of(path.toUri().getPath())).getName(0).toString();
    }
  }

  @BeforeEach
  void write() throws IOException {
    Format format =
        new Format(
            Compression.Algorithm.NONE,
            DataBlockEncoding.NONE,
            2048,
            false,
            true,
            ChecksumType.CRC32C);
    TestSnapshot.write(
        root,
        "night",
        List.of(),
        format,
        TestHFile.cells(Seed.random(), new Contents(0, 2000, 0, 0), format));
    use(false);
    archived =
        root.resolve(
            "archive/data/default/tsdb/"
                + region.encodedName()
                + "/t/"
                + region.storeFiles().get(0).getName());
    origin = root.resolve(root.resolve("archive").relativize(archived));
  }

  /**
   * Loads the snapshot anew.
   *
   * @param checksums whether the file system has files of checksums beside its own
   */
  private void use(boolean checksums) throws IOException {
    Configuration conf = new Configuration();
    Snapshot loaded = new SnapshotLoader(conf, root.toUri().toString()).load("night", "t");
    var local = FileSystem.getLocal(conf);
    snapshot =
        new Snapshot(
            loaded.name(),
            loaded.table(),
            loaded.creationTime(),
            loaded.flushed(),
            loaded.conf(),
            new Asked(checksums ? local : local.getRawFileSystem()),
            loaded.family(),
            loaded.regions());
    resolver = new StoreFileResolver(snapshot);
    region = loaded.regions().get(0);
    storeFile = region.storeFiles().get(0);
    asked.clear();
  }

  private HFileIndex.Found find() throws IOException {
    return find(new ReadTracker());
  }

  private HFileIndex.Found find(ReadTracker tracker) throws IOException {
    return HFileIndex.find(ReadSource.of(snapshot), resolver, region, storeFile, tracker);
  }

  private void requireBadInput(String... parts) {
    ReadTracker tracker = new ReadTracker();
    assertThatThrownBy(() -> find(tracker))
        .isInstanceOf(StorageException.class)
        .hasMessageContainingAll(parts)
        .extracting(e -> ((StorageException) e).kind())
        .isEqualTo(Kind.BAD_INPUT);
    // The message is not to be replaced by that for a corrupt file.
    assertThat(tracker.hasStorageFailed()).isTrue();
  }

  private static Path path(String file) {
    return Path.of(URI.create(file).getPath());
  }

  @Test
  void anExportedFileIsOneRequest() throws IOException {
    SnapshotFile resolved = resolver.resolve(region).get(0);
    asked.clear();
    ReadTracker tracker = new ReadTracker();
    HFileIndex.Found found = find(tracker);
    assertThat(asked).containsExactly("open archive");
    assertThat(found.file()).usingRecursiveComparison().isEqualTo(resolved);
    assertThat(found.index())
        .usingRecursiveComparison()
        .isEqualTo(HFileIndex.read(ReadSource.of(snapshot), resolved, new ReadTracker()));
    assertThat(found.index().entries()).hasSizeGreaterThan(50);
  }

  /** The request of the tail also proves that it is the tail. */
  @Test
  void theEndIsReadOnce() throws IOException {
    ReadTracker confirmed = new ReadTracker();
    SnapshotFile file = find().file();
    HFileIndex.read(ReadSource.of(snapshot), file, confirmed);
    ReadTracker tracker = new ReadTracker();
    find(tracker);
    // A local file says by a request of its own that nothing is left.
    assertThat(tracker.readCalls()).isEqualTo(confirmed.readCalls() + 1);
    assertThat(tracker.bytes()).isEqualTo(confirmed.bytes());
  }

  @Test
  void ofALiveRootBothPlacesAreTried() throws IOException {
    Files.createDirectories(origin.getParent());
    Files.move(archived, origin);
    HFileIndex.Found found = find();
    assertThat(asked).containsExactly("status data", "open data");
    assertThat(path(found.file().path())).isEqualTo(origin);
    assertThat(path(found.file().movedTo())).isEqualTo(archived);

    Files.move(origin, archived);
    asked.clear();
    found = find();
    assertThat(asked).containsExactly("open data", "open archive");
    assertThat(path(found.file().path())).isEqualTo(archived);
    assertThat(path(found.file().movedTo())).isEqualTo(origin);
    assertThat(found.file().confirmed()).isTrue();
  }

  /** From an empty file to one with bytes behind the right ones. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherLengthIsRefused(boolean checksums) throws IOException {
    use(checksums);
    byte[] bytes = Files.readAllBytes(archived);
    for (int length : new int[] {0, 10, bytes.length / 2, bytes.length - 100, bytes.length - 1}) {
      Files.write(archived, Arrays.copyOf(bytes, length));
      requireBadInput(
          archived.toString(),
          "has " + length + " bytes where the manifest says " + bytes.length,
          "export it again");
    }
    for (int more : new int[] {1, 100, 100_000}) {
      Files.write(archived, bytes);
      byte[] behind = new byte[more];
      Seed.random().nextBytes(behind);
      Files.write(archived, behind, StandardOpenOption.APPEND);
      requireBadInput(
          "has " + (bytes.length + more) + " bytes where the manifest says " + bytes.length);
    }
    Files.write(archived, bytes);
    assertThat(find().file().length()).isEqualTo(bytes.length);
  }

  @Test
  void aMissingFileIsBadInput() throws IOException {
    Files.delete(archived);
    requireBadInput("is at none of", archived.toString(), origin.toString());
    Files.createDirectories(origin.getParent());
    use(false);
    requireBadInput("is at none of", archived.toString(), origin.toString());
  }

  @Test
  void aCorruptEndIsNoOtherLength() throws IOException {
    byte[] bytes = Files.readAllBytes(archived);
    bytes[bytes.length - 1] ^= 1;
    Files.write(archived, bytes);
    ReadTracker tracker = new ReadTracker();
    assertThatThrownBy(() -> find(tracker)).isInstanceOf(IOException.class);
    assertThat(tracker.hasStorageFailed()).isFalse();
    assertThat(tracker.file()).endsWith(archived.toString());
  }

  @Test
  void aCodecThatIsNotThereIsConfiguration() throws IOException {
    byte[] bytes = Files.readAllBytes(archived);
    int at = bytes.length - 2;
    // The field of the trailer's message that names the compression.
    while (bytes[at] != 12 << 3 || bytes[at + 1] != NO_CODEC) {
      at--;
    }
    bytes[at + 1] = BROTLI;
    Files.write(archived, bytes);
    ReadTracker tracker = new ReadTracker();
    assertThatThrownBy(() -> find(tracker))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("BROTLI")
        .extracting(e -> ((StorageException) e).kind())
        .isEqualTo(Kind.CONFIGURATION);
    assertThat(tracker.hasStorageFailed()).isTrue();
  }

  @Test
  void aFailureOfStorageStaysOne() {
    isBroken = true;
    ReadTracker tracker = new ReadTracker();
    assertThatThrownBy(() -> find(tracker)).hasStackTraceContaining("no answer");
    assertThat(tracker.hasStorageFailed()).isTrue();
    assertThat(asked).containsExactly("status data", "open archive");
  }

  /** The messages of the manifest are not to be replaced by that for a corrupt file either. */
  @Test
  void aNameThatIsNoneIsBadInput() {
    storeFile = storeFile.toBuilder().setName("no HFile").build();
    requireBadInput("snapshot 'night' is corrupt", "no HFile");
  }

  @Test
  void aCutSplitKeyIsBadInput() {
    for (int length : new int[] {0, 1, 2, 5}) {
      storeFile =
          storeFile.toBuilder()
              .setName("0123456789abcdef." + region.encodedName())
              .setReference(
                  FSProtos.Reference.newBuilder()
                      .setSplitkey(ByteString.copyFrom(new byte[] {0, 9, 1, 1, 1}, 0, length))
                      .setRange(FSProtos.Reference.Range.TOP))
              .build();
      requireBadInput(
          "snapshot 'night' is corrupt", storeFile.getName(), "found " + length + " bytes");
    }
  }

  @Test
  void withoutALengthTheFileIsAskedForIt() throws IOException {
    storeFile = storeFile.toBuilder().clearFileSize().build();
    assertThat(find().file().length()).isEqualTo(Files.size(archived));
    assertThat(asked).containsExactly("status data", "status archive", "open archive");
  }

  @Test
  void aHalf() throws IOException {
    storeFile =
        storeFile.toBuilder()
            .setName(storeFile.getName() + "." + region.encodedName())
            .setReference(Reference.createTopReference(TestHFile.row(700)).convert())
            .build();
    SnapshotFile half = find().file();
    assertThat(asked).containsExactly("status data", "open archive");
    assertThat(half.half()).isEqualTo(Half.TOP);
    assertThat(half.splitRow()).isEqualTo(TestHFile.row(700));
  }
}
