package io.tsdbsuite.rollup.read;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;

/**
 * Pure Java codecs for every compression that an HFile may have. HBase takes the codec classes from
 * the first hbase-site.xml on the class path and not from a reader's configuration, so they are set
 * once for the process.
 */
public final class Codecs {
  private static final String PACKAGE = "org.apache.hadoop.hbase.io.compress.aircompressor.";
  private static final Map<Compression.Algorithm, String> CODECS =
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

  private enum Once {
    INSTALLED;

    Once() {
      Configuration conf = new Configuration(false);
      CODECS.forEach(
          (algorithm, codec) ->
              conf.set("hbase.io.compress." + algorithm.getName() + ".codec", codec));
      CODECS.keySet().forEach(algorithm -> algorithm.reload(conf));
    }

    void run() {
      // The constructor, which runs once, has done it.
    }
  }
}
