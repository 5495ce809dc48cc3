package io.tsdbsuite.bulk.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CompressionTest {
  @TempDir private Path dir;

  private static byte[] readAll(InputFile file) throws IOException {
    try (InputStream in = file.open(0)) {
      return in.readAllBytes();
    }
  }

  /** A file whose stream gives few bytes at a time and never says that more are available. */
  private static InputFile slow(byte[] stored) {
    Random random = Seed.random();
    return new InputFile(
        "slow",
        stored.length,
        0,
        offset -> {
          InputStream in = new ByteArrayInputStream(stored);
          in.skipNBytes(offset);
          return new InputStream() {
            @Override
            public int read() throws IOException {
              return in.read();
            }

            @Override
            public int read(byte[] b, int off, int len) throws IOException {
              return in.read(b, off, Math.min(len, 1 + random.nextInt(10)));
            }
          };
        });
  }

  @ParameterizedTest
  @EnumSource
  void partsOneAfterTheOther(Compression how) throws IOException {
    byte[] one = TestData.lines("one", 5000);
    byte[] two = TestData.lines("two", 3);
    byte[] stored =
        TestData.join(
            TestData.compress(how, one),
            TestData.compress(how, new byte[0]),
            TestData.compress(how, two),
            TestData.compress(how, one));
    byte[] text = TestData.join(one, two, one);
    InputFile file = TestData.file(TestData.write(dir, "x", stored));
    assertThat(file.compression()).isEqualTo(how);
    assertThat(file.size()).isEqualTo(stored.length);
    assertThat(readAll(file)).isEqualTo(text);
    assertThat(readAll(slow(stored))).isEqualTo(text);
    assertThat(file.head(100)).isEqualTo(Arrays.copyOf(text, 100));
    for (int offset : new int[] {1, one.length, text.length - 1, text.length}) {
      InputFile unknown = TestData.file(dir.resolve("x"));
      try (InputStream in = unknown.open(offset)) {
        assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(text, offset, text.length));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void standardInput(Compression how) throws IOException {
    byte[] text = TestData.lines("one", 5000);
    ByteArrayInputStream in = new ByteArrayInputStream(TestData.compress(how, text));
    InputFile file = new InputFile("-", -1, -1, new InputFile.Stdin(in));
    assertThat(file.head(100)).isEqualTo(Arrays.copyOf(text, 100));
    assertThat(file.compression()).isEqualTo(how);
    try (InputStream opened = file.open(7)) {
      assertThat(opened.readAllBytes()).isEqualTo(Arrays.copyOfRange(text, 7, text.length));
    }
    assertThatThrownBy(() -> file.open(0))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("standard input can be read once");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PLAIN")
  void truncatedAnywhere(Compression how) {
    byte[] first = TestData.compress(how, TestData.lines("one", 20));
    byte[] stored = TestData.join(first, TestData.compress(how, TestData.lines("two", 20)));
    for (int len = 0; len < stored.length; len++) {
      if (len == first.length) {
        continue;
      }
      Path path = TestData.write(dir, "cut.gz", Arrays.copyOf(stored, len));
      assertThatThrownBy(() -> readAll(TestData.file(path)))
          .as("%s cut at %s", how, len)
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT))
          .hasMessageStartingWith(path.toString());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PLAIN")
  void corruptAnywhere(Compression how) throws IOException {
    byte[] text = TestData.lines("one", 200);
    byte[] stored = TestData.compress(how, text);
    long seed = Seed.VALUE;
    System.out.println("CompressionTest seed " + seed);
    Random random = new Random(seed);
    int caught = 0;
    for (int i = 0; i < 200; i++) {
      byte[] bad = stored.clone();
      bad[16 + random.nextInt(bad.length - 16)] ^= (byte) (1 << random.nextInt(8));
      Path path = TestData.write(dir, "bad", bad);
      try {
        // zstd here has no checksum, so a changed literal is not seen; bzip2 ends with unused bits.
        assertThat(readAll(TestData.file(path)).length).isEqualTo(text.length);
      } catch (JobException e) {
        assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(e).hasMessageStartingWith(path + ": at byte ");
        caught++;
      }
    }
    assertThat(caught).isGreaterThan(how == Compression.ZSTD ? 10 : 180);
  }

  @Test
  void theOffsetReachedIsNamed() {
    byte[] text = TestData.lines("one", 200_000);
    byte[] stored = TestData.compress(Compression.GZIP, text);
    Path path = TestData.write(dir, "x.gz", Arrays.copyOf(stored, stored.length / 2));
    assertThatThrownBy(() -> readAll(TestData.file(path)))
        .hasMessageMatching(".*x.gz: at byte [1-9][0-9]{5,} of the text: ends too early.*");
  }

  @Test
  void theOffsetReachedInASmallFileIsNamed() {
    byte[] text = TestData.lines("one", 500);
    byte[] stored = TestData.compress(Compression.GZIP, text);
    Path path = TestData.write(dir, "x.gz", Arrays.copyOf(stored, stored.length / 2));
    assertThatThrownBy(() -> readAll(TestData.file(path)))
        .hasMessageMatching(".*x.gz: at byte [1-9][0-9]{3,} of the text: ends too early.*");
    assertThatThrownBy(() -> TestData.file(path).head(1 << 16))
        .hasMessageMatching(".*x.gz: at byte [1-9][0-9]{3,} of the text: ends too early.*");
    // The checksum behind the text is missing.
    TestData.write(dir, "x.gz", Arrays.copyOf(stored, stored.length - 4));
    assertThatThrownBy(() -> readAll(TestData.file(path)))
        .hasMessageContaining(
            "x.gz: at byte " + (text.length - 1) + " of the text: ends too early");
  }

  @Test
  void garbageBehindAMember() {
    byte[] stored =
        TestData.join(
            TestData.compress(Compression.GZIP, TestData.lines("one", 2)), new byte[] {1, 2, 3});
    Path path = TestData.write(dir, "x.gz", stored);
    assertThatThrownBy(() -> readAll(TestData.file(path)))
        .hasMessageContaining("x.gz: at byte ")
        .hasMessageContaining("corrupt");
  }

  @ParameterizedTest
  @CsvSource({
    "x.gz, '', found an empty file",
    "x.zst, 00010203, found 00010203",
    "x, fd377a585a000004, found xz",
    "x.json, 504b030414000000, found zip",
    "x.lz4, 04224d1864, found lz4",
  })
  void otherFiles(String name, String hex, String found) {
    Path path = TestData.write(dir, name, HexFormat.of().parseHex(hex));
    assertThatThrownBy(() -> readAll(TestData.file(path)))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT))
        .hasMessageStartingWith(path.toString())
        .hasMessageContaining(found);
  }

  @Test
  void textNamedAsCompressedIsText() throws IOException {
    byte[] text = "BZh9 1 2 a=b\n".getBytes(StandardCharsets.UTF_8);
    assertThat(readAll(TestData.file(TestData.write(dir, "x.gz", text)))).isEqualTo(text);
    assertThat(readAll(TestData.file(TestData.write(dir, "y", new byte[0])))).isEmpty();
  }

  @Test
  void zstdWindows() throws IOException {
    // Magic number, a frame with a window and nothing else, its size, an empty last block.
    String empty = "28b52ffd00%s010000";
    byte[] stored = HexFormat.of().parseHex(empty.formatted("88"));
    assertThat(readAll(TestData.file(TestData.write(dir, "x.zst", stored)))).isEmpty();
    Path path = TestData.write(dir, "z.zst", HexFormat.of().parseHex(empty.formatted("90") + "00"));
    assertThatThrownBy(() -> readAll(TestData.file(path)))
        .hasMessageContaining(
            "z.zst: at byte 0 of the text: zstd's window must not be larger than 128 MB");
  }

  @Test
  void zstdFramesThatAreSkipped() throws IOException {
    byte[] text = TestData.lines("one", 1000);
    byte[] skip = {0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9};
    byte[] frame = TestData.compress(Compression.ZSTD, text);
    byte[] stored = TestData.join(skip, frame, skip, frame, skip);
    assertThat(readAll(TestData.file(TestData.write(dir, "y.zst", stored))))
        .isEqualTo(TestData.join(text, text));
  }

  @Test
  void aFileThatShrankAndAFileThatIsGone() throws IOException {
    Path path = TestData.write(dir, "x", TestData.lines("one", 10));
    InputFile file = TestData.file(path);
    TestData.write(dir, "x", TestData.lines("one", 9));
    assertThatThrownBy(() -> readAll(file))
        .isInstanceOf(JobException.class)
        .hasMessageMatching(".*/x: ends at byte \\d+, was \\d+ bytes long when the load began");
    Files.delete(path);
    assertThatThrownBy(() -> readAll(file))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE))
        .hasMessageContaining("cannot be read");
  }

  @ParameterizedTest
  @EnumSource
  void storageThatFailsIsNotCorruptData(Compression how) {
    byte[] stored = TestData.compress(how, TestData.lines("one", 20_000));
    InputFile file =
        new InputFile(
            "far",
            stored.length,
            0,
            offset ->
                new InputStream() {
                  private int pos = (int) offset;

                  @Override
                  public int read() throws IOException {
                    if (pos > stored.length / 2) {
                      throw new IOException("connection reset");
                    }
                    return stored[pos++] & 0xff;
                  }

                  @Override
                  public int read(byte[] b, int off, int len) throws IOException {
                    b[off] = (byte) read();
                    return 1;
                  }
                });
    assertThatThrownBy(() -> readAll(file))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE))
        .hasMessageStartingWith("far: at byte ")
        .hasMessageContaining("connection reset");
  }
}
