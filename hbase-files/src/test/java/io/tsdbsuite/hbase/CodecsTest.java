package io.tsdbsuite.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.NativeDecompressor.Library;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks decompressed in Java and in native code: the same bytes, or exceptions. */
class CodecsTest {
  /** What is around a block. */
  private static final byte UNTOUCHED = 0x5a;

  private static final int ROUNDS = Seed.times(40, 400);
  private static final int MUTATIONS = 50;

  @TempDir Path directory;

  @BeforeAll
  static void install() {
    Codecs.install();
  }

  private static byte[] block(Random random) {
    byte[] block =
        new byte[random.nextInt(5) == 0 ? random.nextInt(700_000) : random.nextInt(5000)];
    for (int at = 0; at < block.length; ) {
      int run = Math.min(block.length - at, 1 + random.nextInt(60));
      if (at > 0 && random.nextInt(3) > 0) {
        int from = random.nextInt(at);
        for (int i = 0; i < run; i++) {
          block[at + i] = block[from + i];
        }
      } else {
        for (int i = 0; i < run; i++) {
          block[at + i] = (byte) random.nextInt(1 << (1 + random.nextInt(8)));
        }
      }
      at += run;
    }
    return block;
  }

  private static byte[] compress(Algorithm algorithm, byte[] block) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Compressor compressor = algorithm.getCompressor();
    try (OutputStream out = algorithm.createCompressionStream(bytes, compressor, 0)) {
      out.write(block);
    } finally {
      algorithm.returnCompressor(compressor);
    }
    return bytes.toByteArray();
  }

  /** The block; null when an exception says that it cannot be decompressed. */
  private static byte @Nullable [] inJava(Algorithm algorithm, byte[] compressed, int length) {
    Decompressor decompressor = algorithm.getDecompressor();
    try (InputStream in =
        algorithm.createDecompressionStream(
            new ByteArrayInputStream(compressed), decompressor, 0)) {
      byte[] block = in.readNBytes(length);
      return block.length == length ? block : null;
    } catch (IOException | RuntimeException e) {
      return null;
    } finally {
      algorithm.returnDecompressor(decompressor);
    }
  }

  /** The same in native code, with arrays that have room before and behind the block. */
  private static byte @Nullable [] inNativeCode(
      NativeDecompressor decompressor, byte[] compressed, int length) {
    byte[] source = new byte[compressed.length + 40];
    System.arraycopy(compressed, 0, source, 20, compressed.length);
    byte[] target = new byte[length + 128];
    Arrays.fill(target, UNTOUCHED);
    ByteBuff in = new SingleByteBuff(ByteBuffer.wrap(source, 20, compressed.length).slice());
    ByteBuff out = new SingleByteBuff(ByteBuffer.wrap(target, 64, length).slice());
    assertThat(decompressor.canDecompress(out, in)).isTrue();
    try {
      assertThat(decompressor.decompress(out, in, compressed.length)).isEqualTo(length);
      assertThat(out.remaining()).isZero();
      return Arrays.copyOfRange(target, 64, 64 + length);
    } catch (IOException | RuntimeException e) {
      return null;
    } finally {
      for (int i = 0; i < 64; i++) {
        assertThat(target[i]).isEqualTo(UNTOUCHED);
        assertThat(target[64 + length + i]).isEqualTo(UNTOUCHED);
      }
    }
  }

  private static byte[] mutated(byte[] compressed, Random random) {
    byte[] bytes = compressed.clone();
    int last = bytes.length == 0 ? -1 : random.nextInt(3);
    for (int i = 0; i <= last; i++) {
      int at =
          random.nextInt(2) == 0
              ? random.nextInt(bytes.length)
              : random.nextInt(Math.min(24, bytes.length));
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0);
        default -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      }
    }
    return switch (random.nextInt(4)) {
      case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      case 1 -> Arrays.copyOf(bytes, bytes.length + random.nextInt(20));
      default -> bytes;
    };
  }

  /**
   * Whether LZ4 copies from the offset 0, which is none of its format: native code writes zeros
   * there. Parts are their length, then chunks with theirs.
   */
  private static boolean hasOffset0(byte[] compressed) {
    ByteBuffer in = ByteBuffer.wrap(compressed);
    while (in.remaining() >= Integer.BYTES) {
      int part = in.getInt();
      for (long made = 0; made < part && in.remaining() >= Integer.BYTES; ) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
          return false;
        }
        ByteBuffer chunk = in.slice(in.position(), length);
        in.position(in.position() + length);
        while (chunk.hasRemaining()) {
          int token = chunk.get() & 0xff;
          long literals = extended(token >> 4, chunk);
          if (literals > chunk.remaining()) {
            return false;
          }
          made += literals;
          chunk.position(chunk.position() + (int) literals);
          if (chunk.remaining() < Short.BYTES) {
            break;
          }
          if (chunk.getShort() == 0) {
            return true;
          }
          made += 4 + extended(token & 15, chunk);
        }
      }
    }
    return false;
  }

  private static long extended(int nibble, ByteBuffer chunk) {
    long length = nibble;
    for (int more = nibble == 15 ? 255 : 0; more == 255 && chunk.hasRemaining(); ) {
      more = chunk.get() & 0xff;
      length += more;
    }
    return length;
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void bothWaysGiveTheSameBytes(Library library) throws IOException {
    Algorithm algorithm = Algorithm.valueOf(library.name());
    assertThat(algorithm.supportsByteBuffDecompression()).isTrue();
    Random random = Seed.random();
    int refused = 0;
    int given = 0;
    int compared = 0;
    try (NativeDecompressor decompressor = library.create()) {
      for (int round = 0; round < ROUNDS; round++) {
        String what = library + ", seed " + Seed.VALUE + ", round " + round;
        byte[] block = block(random);
        byte[] compressed = compress(algorithm, block);
        assertThat(inJava(algorithm, compressed, block.length)).as(what).isEqualTo(block);
        assertThat(inNativeCode(decompressor, compressed, block.length)).as(what).isEqualTo(block);
        for (int i = 0; i < MUTATIONS; i++) {
          byte[] wrong = mutated(compressed, random);
          byte[] there = inNativeCode(decompressor, wrong, block.length);
          byte[] here = inJava(algorithm, wrong, block.length);
          if (there == null) {
            refused++;
          } else {
            given++;
            if (here != null && !(library == Library.LZ4 && hasOffset0(wrong))) {
              compared++;
              assertThat(there).as(what).isEqualTo(here);
            }
          }
        }
      }
    }
    System.out.printf("%s: %d refused, %d given, %d compared%n", library, refused, given, compared);
    assertThat(refused).isPositive();
    assertThat(given).isPositive();
    assertThat(compared).isPositive();
  }

  /** A temporary directory that is mounted noexec differs in the message alone. */
  @Test
  void nativeCodeThatDoesNotLoadIsDoneWithout() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + file.resolve("none"),
                "-cp",
                System.getProperty("java.class.path"),
                Without.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    for (Library library : Library.values()) {
      assertThat(output.lines().filter(line -> line.contains(library + " is decompressed in Java")))
          .as(output)
          .hasSize(1);
    }
    assertThat(output).contains("done");
  }

  /** A process without the native code. */
  static final class Without {
    private Without() {}

    public static void main(String[] args) throws IOException {
      Codecs.install();
      Codecs.install();
      byte[] block = block(Seed.random());
      for (Library library : Library.values()) {
        Algorithm algorithm = Algorithm.valueOf(library.name());
        if (algorithm.supportsByteBuffDecompression()
            || !Arrays.equals(inJava(algorithm, compress(algorithm, block), block.length), block)) {
          throw new IllegalStateException(library + " must be decompressed in Java");
        }
      }
      System.out.println("done");
    }
  }
}
