package io.tsdbsuite.hbase;

import io.tsdbsuite.hbase.NativeDecompressor.Library;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.ByteBuffDecompressionCodec;
import org.apache.hadoop.hbase.io.compress.ByteBuffDecompressor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.compress.Compression.HFileDecompressionContext;
import org.apache.hadoop.hbase.io.compress.aircompressor.Lz4Codec;
import org.apache.hadoop.hbase.io.compress.aircompressor.LzoCodec;
import org.apache.hadoop.hbase.io.compress.aircompressor.SnappyCodec;
import org.apache.hadoop.hbase.io.compress.aircompressor.ZstdCodec;
import org.apache.hadoop.hbase.util.CompressionTest;
import org.apache.hadoop.io.compress.BlockDecompressorStream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.Decompressor;
import org.jspecify.annotations.Nullable;

/**
 * Codecs in Java for compressions that otherwise need a native library. Where zstd-jni, snappy-java
 * and lz4-java are on the class path and load, these decompress the blocks of HFiles. HBase takes
 * the codec classes from the first hbase-site.xml on the class path, not from the configuration of
 * a reader or writer, so they are set once for the process.
 */
public final class Codecs {
  private static final Map<Compression.Algorithm, Class<? extends CompressionCodec>> CLASSES =
      Map.of(
          Compression.Algorithm.SNAPPY, Snappy.class,
          Compression.Algorithm.LZ4, Lz4.class,
          Compression.Algorithm.LZO, Lzo.class,
          Compression.Algorithm.ZSTD, Zstd.class);

  /** Codecs in place of these if their library works. */
  private static final Map<Library, Class<? extends CompressionCodec>> NATIVE =
      Map.of(
          Library.SNAPPY, NativeSnappy.class,
          Library.LZ4, NativeLz4.class,
          Library.ZSTD, NativeZstd.class);

  /**
   * First size of the buffer for compressed bytes. HBase opens a stream for each block, and its own
   * codecs allocate 256 KB for each. The stream enlarges the buffer to what a block needs.
   */
  private static final int BUFFER_BYTES = 4 << 10;

  private Codecs() {}

  /** Switches this process to these codecs; GZ is Java's own. */
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
      Map<Compression.Algorithm, Class<? extends CompressionCodec>> classes =
          new HashMap<>(CLASSES);
      NATIVE.forEach(
          (library, codec) -> {
            if (library.works()) {
              classes.put(Compression.Algorithm.valueOf(library.name()), codec);
            }
          });
      Configuration conf = new Configuration(false);
      classes.forEach(
          (algorithm, codec) ->
              conf.set("hbase.io.compress." + algorithm.getName() + ".codec", codec.getName()));
      classes.keySet().forEach(algorithm -> algorithm.reload(conf));
    }

    void run() {
      // The constructor, which runs once, has set the codecs.
    }
  }

  private static CompressionInputStream decompression(InputStream in, Decompressor decompressor)
      throws IOException {
    return new BlockDecompressorStream(in, decompressor, BUFFER_BYTES) {
      /** Like Hadoop's, but a corrupt length takes no more memory than there are bytes. */
      @Override
      protected int getCompressedData() throws IOException {
        checkStream();
        int length = new DataInputStream(in).readInt();
        int read;
        if (length > buffer.length) {
          buffer = in.readNBytes(length);
          read = buffer.length;
        } else {
          read = in.readNBytes(buffer, 0, length);
        }
        if (read < length) {
          throw new EOFException("a chunk must have " + length + " bytes, found " + read);
        }
        return length;
      }
    };
  }

  /** Snappy; HBase creates it by its name. */
  public static class Snappy extends SnappyCodec {
    @Override
    public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
        throws IOException {
      return decompression(in, decompressor);
    }
  }

  /** LZ4; HBase creates it by its name. */
  public static class Lz4 extends Lz4Codec {
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
  public static class Zstd extends ZstdCodec {
    @Override
    public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
        throws IOException {
      return decompression(in, decompressor);
    }
  }

  /** A codec whose blocks a library decompresses. */
  private interface NativeCodec extends ByteBuffDecompressionCodec {
    Library library();

    @Override
    default Class<? extends ByteBuffDecompressor> getByteBuffDecompressorType() {
      return library().type();
    }

    @Override
    default ByteBuffDecompressor createByteBuffDecompressor() {
      return library().create();
    }

    @Override
    default @Nullable HFileDecompressionContext getDecompressionContextFromConfiguration(
        Configuration conf) {
      return null;
    }
  }

  /** Snappy by snappy-java; HBase creates it by its name. */
  public static final class NativeSnappy extends Snappy implements NativeCodec {
    @Override
    public Library library() {
      return Library.SNAPPY;
    }
  }

  /** LZ4 by lz4-java; HBase creates it by its name. */
  public static final class NativeLz4 extends Lz4 implements NativeCodec {
    @Override
    public Library library() {
      return Library.LZ4;
    }
  }

  /** Zstandard by zstd-jni; HBase creates it by its name. */
  public static final class NativeZstd extends Zstd implements NativeCodec {
    @Override
    public Library library() {
      return Library.ZSTD;
    }
  }
}
