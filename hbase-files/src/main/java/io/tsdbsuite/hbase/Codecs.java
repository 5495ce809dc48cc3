package io.tsdbsuite.hbase;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.CompressionTest;

/**
 * Pure Java codecs for compressions that otherwise need a native library. HBase takes the codec
 * classes from the first hbase-site.xml on the class path, not from the configuration of a reader
 * or writer, so they are set once for the process.
 */
public final class Codecs {
  private static final String PACKAGE = "org.apache.hadoop.hbase.io.compress.aircompressor.";
  private static final Map<Compression.Algorithm, String> CLASSES =
      Map.of(
          Compression.Algorithm.SNAPPY, PACKAGE + "SnappyCodec",
          Compression.Algorithm.LZ4, PACKAGE + "Lz4Codec",
          Compression.Algorithm.LZO, PACKAGE + "LzoCodec",
          Compression.Algorithm.ZSTD, PACKAGE + "ZstdCodec");

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
              conf.set("hbase.io.compress." + algorithm.getName() + ".codec", codec));
      CLASSES.keySet().forEach(algorithm -> algorithm.reload(conf));
    }

    void run() {
      // The constructor, which runs once, has set the codecs.
    }
  }
}
