package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.io.crypto.KeyStoreKeyProvider;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that need what this process lacks, although their family does not say so. */
class FileSupportTest {
  /** Field 12 of the trailer's message, and the number of NONE. */
  private static final byte[] NO_CODEC = {12 << 3, 2};

  private static final byte BROTLI = 8;

  private static final TestHFile.Format PLAIN =
      new TestHFile.Format(
          Compression.Algorithm.NONE, DataBlockEncoding.NONE, 1024, true, false, ChecksumType.NULL);

  private static final List<Tag> LABEL =
      List.of(new ArrayBackedTag(TagType.VISIBILITY_TAG_TYPE, new byte[] {1}));

  @TempDir Path directory;

  private static List<KeyValue> cells() {
    return TestHFile.cells(Seed.random(), new TestHFile.Contents(0, 50, 0, 0), PLAIN);
  }

  private static void requireConfiguration(ThrowingCallable read, String... words) {
    assertThatThrownBy(read)
        .isInstanceOf(StorageException.class)
        .hasMessageContainingAll(words)
        .hasMessageNotContaining("corrupt")
        .extracting(e -> ((StorageException) e).kind())
        .isEqualTo(StorageException.Kind.CONFIGURATION);
  }

  /** Makes the trailer name a codec that is not there. */
  private static void setBrotli(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = text.lastIndexOf(new String(NO_CODEC, StandardCharsets.ISO_8859_1));
    assertThat(at).isGreaterThan(text.indexOf("TRABLK\"$"));
    bytes[at + 1] = BROTLI;
    Files.write(file, bytes);
  }

  @Test
  void aFileOfACodecThatIsNotThere() throws IOException {
    ReadSource source = TestHFile.source(new Configuration());
    SnapshotFile file = TestHFile.write(source, directory.resolve("f"), PLAIN, cells());
    setBrotli(directory.resolve("f"));
    ReadTracker tracker = new ReadTracker();
    requireConfiguration(() -> HFileIndex.read(source, file, tracker), "BROTLI", file.path());
    assertThat(tracker.hasStorageFailed()).as("not to be called corrupt").isTrue();
  }

  @Test
  void aDamagedTrailerStaysDamage() throws IOException {
    ReadSource source = TestHFile.source(new Configuration());
    SnapshotFile file = TestHFile.write(source, directory.resolve("f"), PLAIN, cells());
    byte[] bytes = Files.readAllBytes(directory.resolve("f"));
    bytes[bytes.length - 1] ^= 1;
    Files.write(directory.resolve("f"), bytes);
    ReadTracker tracker = new ReadTracker();
    assertThatThrownBy(() -> HFileIndex.read(source, file, tracker))
        .isNotInstanceOf(StorageException.class);
    assertThat(tracker.hasStorageFailed()).isFalse();
  }

  @Test
  void aSnapshotWithSuchAFile() throws IOException {
    TestSnapshot.write(directory, "night", List.of(), PLAIN, cells());
    Snapshot snapshot =
        new SnapshotLoader(new Configuration(), directory.toUri().toString()).load("night", "t");
    SnapshotFile file = new StoreFileResolver(snapshot).resolve(snapshot.regions().get(0)).get(0);
    setBrotli(Path.of(new org.apache.hadoop.fs.Path(file.path()).toUri().getPath()));
    try (SnapshotRows rows =
        new SnapshotRows("snapshot night", snapshot, new byte[0], new byte[0])) {
      requireConfiguration(() -> rows.next(new RowLog()), "BROTLI");
    }
  }

  private Configuration withKeys(String master) throws Exception {
    Path store = directory.resolve(master + ".jceks");
    KeyStore keys = KeyStore.getInstance("JCEKS");
    keys.load(null, "secret".toCharArray());
    keys.setEntry(
        master,
        new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[16], "AES")),
        new KeyStore.PasswordProtection("secret".toCharArray()));
    try (OutputStream out = Files.newOutputStream(store)) {
      keys.store(out, "secret".toCharArray());
    }
    Configuration conf = new Configuration();
    conf.set(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, KeyStoreKeyProvider.class.getName());
    conf.set(HConstants.CRYPTO_KEYPROVIDER_PARAMETERS_KEY, "jceks://" + store + "?password=secret");
    conf.set(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, master);
    return conf;
  }

  @Test
  void anEncryptedFileOfAFamilyThatIsNoLonger() throws Exception {
    Configuration conf = withKeys("master");
    Encryption.Context encryption = Encryption.newContext(conf);
    encryption.setCipher(Encryption.getCipher(conf, "AES"));
    encryption.setKey(
        new SecretKeySpec(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6}, "AES"));
    ReadSource source = TestHFile.source(conf);
    Path path = directory.resolve("f");
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(source.fileSystem(), new org.apache.hadoop.fs.Path(path.toUri()))
            .withFileContext(
                new HFileContextBuilder()
                    .withIncludesTags(true)
                    .withEncryptionContext(encryption)
                    .build())
            .create()) {
      for (KeyValue cell : cells()) {
        writer.append(cell);
      }
    }
    SnapshotFile file =
        new SnapshotFile("f", path.toString(), Files.size(path), SnapshotFile.Half.WHOLE, null);
    assertThat(HFileIndex.read(source, file, new ReadTracker()).cells()).isEqualTo(cells().size());
    ReadSource without = TestHFile.source(new Configuration());
    requireConfiguration(
        () -> HFileIndex.read(without, file, new ReadTracker()),
        "is encrypted",
        "hbase.crypto.keyprovider.parameters",
        "hbase.crypto.master.key.name");
  }

  @Test
  void cellsWithVisibilityLabels() throws IOException {
    requireLabelsRefused(cell(5, 1, KeyValue.Type.Put, LABEL));
  }

  /** HBase's merge returns none of these cells. */
  @Test
  void hiddenCellsWithVisibilityLabels() throws IOException {
    KeyValue put = cell(5, 1, KeyValue.Type.Put, List.of());
    requireLabelsRefused(cell(5, 2, KeyValue.Type.DeleteColumn, LABEL), put);
    requireLabelsRefused(cell(5, 1, KeyValue.Type.Delete, LABEL), put);
    // What follows a delete of the column, or the newest version, is passed over.
    KeyValue labelled = cell(5, 1, KeyValue.Type.Put, LABEL);
    requireLabelsRefused(cell(5, 2, KeyValue.Type.DeleteColumn, List.of()), labelled);
    requireLabelsRefused(cell(5, 2, KeyValue.Type.Put, List.of()), labelled);
  }

  private void requireLabelsRefused(KeyValue... ofRowFive) throws IOException {
    List<KeyValue> cells = new ArrayList<>();
    for (int row = 0; row < 9; row++) {
      cells.addAll(
          row == 5 ? List.of(ofRowFive) : List.of(cell(row, 1, KeyValue.Type.Put, List.of())));
    }
    for (String choice : List.of("auto", "merge")) {
      Configuration conf = new Configuration();
      conf.set(RowReaders.CHOICE, choice);
      ReadSource source = TestHFile.source(conf);
      SnapshotFile file = TestHFile.write(source, directory.resolve(choice), PLAIN, cells);
      byte[] edge = {};
      try (RegionFiles files = RegionFiles.open(source, List.of(file), false, new ReadTracker());
          RowReader rows = RowReaders.open(source, files, edge, edge, false, ReadRanges.ALL)) {
        requireConfiguration(
            () -> {
              while (rows.peek()) {
                rows.read(new RowLog());
              }
            },
            "visibility labels");
      }
      // Only rows that are read count.
      try (RegionFiles files = RegionFiles.open(source, List.of(file), false, new ReadTracker());
          RowReader rows =
              RowReaders.open(source, files, edge, TestHFile.row(5), false, ReadRanges.ALL)) {
        int read = 0;
        while (rows.peek()) {
          rows.read(new RowLog());
          read++;
        }
        assertThat(read).isEqualTo(5);
      }
    }
  }

  private static KeyValue cell(int row, long timestamp, KeyValue.Type type, List<Tag> tags) {
    return new KeyValue(
        TestHFile.row(row), new byte[] {'t'}, new byte[] {1}, timestamp, type, new byte[1], tags);
  }
}
