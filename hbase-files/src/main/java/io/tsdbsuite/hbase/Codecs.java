package io.tsdbsuite.hbase;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.compress.aircompressor.Lz4Codec;
import org.apache.hadoop.hbase.io.compress.aircompressor.LzoCodec;
import org.apache.hadoop.hbase.io.compress.aircompressor.SnappyCodec;
import org.apache.hadoop.hbase.io.compress.aircompressor.ZstdCodec;
import org.apache.hadoop.hbase.util.CompressionTest;
import org.apache.hadoop.io.compress.BlockDecompressorStream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * Pure Java codecs for compressions that otherwise need a native library. HBase takes the codec
 * classes from the first hbase-site.xml on the class path, not from the configuration of a reader
 * or writer, so they are set once for the process.
 */
public final class Codecs {
  private static final Map<Compression.Algorithm, Class<? extends CompressionCodec>> CLASSES =
      Map.of(
          Compression.Algorithm.SNAPPY, Snappy.class,
          Compression.Algorithm.LZ4, Lz4.class,
          Compression.Algorithm.LZO, Lzo.class,
          Compression.Algorithm.ZSTD, Zstd.class);

  /**
   * First size of the buffer for compressed bytes. HBase opens a stream for each block, and its own
   * codecs allocate 256 KB for each. Hadoop's stream enlarges the buffer to what a block needs.
   */
  private static final int BUFFER_BYTES = 4 << 10;

  private Codecs() {}

  /** Switches this process to the codecs that need no native library; GZ is Java's own. */
  public static void install() {
    Once.INSTALLED.run();
  }

  /** Whether this process can compress with the algorithm. */
  public static boolean canWrite(Compression.Algorithm algorithm) {
    if (algorithm == Compression.Algorithm.NONE) {
      return true;
    }
    install();
    try {
      CompressionTest.testCompression(algorithm);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private enum Once {
    INSTALLED;

    Once() {
      Configuration conf = new Configuration(false);
      CLASSES.forEach(
          (algorithm, codec) ->
              conf.set("hbase.io.compress." + algorithm.getName() + ".codec", codec.getName()));
      CLASSES.keySet().forEach(algorithm -> algorithm.reload(conf));
    }

    void run() {
      // The constructor, which runs once, has set the codecs.
    }
  }

  private static CompressionInputStream decompression(InputStream in, Decompressor decompressor)
      throws IOException {
    return new BlockDecompressorStream(in, decompressor, BUFFER_BYTES);
  }

  /** Snappy; HBase creates it by its name. */
  public static final class Snappy extends SnappyCodec {
    @Override
    public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
        throws IOException {
      return decompression(in, decompressor);
    }
  }

  /** LZ4; HBase creates it by its name. */
  public static final class Lz4 extends Lz4Codec {
    @Override
    public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
        throws IOException {
      return decompression(in, decompressor);
    }
  }

  /** LZO; HBase creates it by its name. */
  public static final class Lzo extends LzoCodec {
    @Override
    public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
        throws IOException {
      return decompression(in, decompressor);
    }
  }

  /** Zstandard; HBase creates it by its name. */
  public static final class Zstd extends ZstdCodec {
    @Override
    public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
        throws IOException {
      return decompression(in, decompressor);
    }
  }
}
