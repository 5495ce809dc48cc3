package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.PairedRuns;
import io.tsdbsuite.hbase.Codecs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.hbase.io.compress.ByteBuffDecompressor;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.io.compress.Decompressor;

/** Decompresses blocks of rows by the codec in Java and by its library, by turns. */
final class BlockKernel {
  private static final int BLOCKS = 256;
  private static final int BLOCK_BYTES = 64 << 10;

  private BlockKernel() {}

  /** Arguments: a directory, which is not used, and the compression. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    Algorithm algorithm = Algorithm.valueOf(args[1]);
    if (!algorithm.supportsByteBuffDecompression()) {
      throw new IllegalStateException("the library of " + algorithm + " must load");
    }
    Random random = new Random(1);
    byte[][] blocks = new byte[BLOCKS][];
    for (int i = 0; i < BLOCKS; i++) {
      blocks[i] = block(algorithm, random);
    }
    byte[] into = new byte[BLOCK_BYTES];
    PairedRuns.ofThread()
        .print(() -> inJava(algorithm, blocks, into), () -> natively(algorithm, blocks, into));
    System.exit(0);
  }

  /** Rows of 60 points, compressed. */
  private static byte[] block(Algorithm algorithm, Random random) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    while (block.hasRemaining()) {
      BenchRow row = RowShape.S3_COMPACTED_60.row(random);
      block.put(row.bytes(), 0, Math.min(row.bytes().length, block.remaining()));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        algorithm.createCompressionStream(bytes, algorithm.getCompressor(), 0)) {
      out.write(block.array());
    }
    return bytes.toByteArray();
  }

  private static double inJava(Algorithm algorithm, byte[][] blocks, byte[] into)
      throws IOException {
    double sum = 0;
    for (byte[] block : blocks) {
      Decompressor decompressor = algorithm.getDecompressor();
      try (InputStream in =
          algorithm.createDecompressionStream(new ByteArrayInputStream(block), decompressor, 0)) {
        sum += in.readNBytes(into, 0, into.length) + into[(int) sum & 0xff];
      } finally {
        algorithm.returnDecompressor(decompressor);
      }
    }
    return sum;
  }

  private static double natively(Algorithm algorithm, byte[][] blocks, byte[] into)
      throws IOException {
    double sum = 0;
    for (byte[] block : blocks) {
      ByteBuffDecompressor decompressor = algorithm.getByteBuffDecompressor();
      sum +=
          decompressor.decompress(
              new SingleByteBuff(ByteBuffer.wrap(into)),
              new SingleByteBuff(ByteBuffer.wrap(block)),
              block.length);
      sum += into[(int) sum & 0xff];
      algorithm.returnByteBuffDecompressor(decompressor);
    }
    return sum;
  }
}
