package io.tsdbsuite.hbase;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.apache.hadoop.hbase.io.compress.BlockDecompressorHelper;
import org.apache.hadoop.hbase.io.compress.ByteBuffDecompressor;
import org.apache.hadoop.hbase.io.compress.Compression.HFileDecompressionContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decompresses the blocks of an HFile by native code, from array to array. Corrupt bytes are an
 * exception: no library reads or writes outside of the ranges that it is given.
 */
abstract class NativeDecompressor implements ByteBuffDecompressor {
  private static final Logger LOG = LoggerFactory.getLogger(NativeDecompressor.class);

  /** A library of the class path; Spark brings all. */
  enum Library {
    ZSTD("zstd-jni", Zstd.class, "(\u00b5/\u00fd \4!\0\0tsdb") {
      @Override
      NativeDecompressor create() {
        return new Zstd();
      }
    },
    SNAPPY("snappy-java", Snappy.class, "\4\ftsdb") {
      @Override
      NativeDecompressor create() {
        return new Snappy();
      }
    },
    LZ4("lz4-java", Lz4.class, "@tsdb") {
      @Override
      NativeDecompressor create() {
        return new Lz4();
      }
    };

    private static final String SAMPLE = "tsdb";

    private final String title;
    private final Class<? extends NativeDecompressor> type;
    private final String compressed;

    /**
     * @param compressed the sample, a character for each byte
     */
    Library(String title, Class<? extends NativeDecompressor> type, String compressed) {
      this.title = title;
      this.type = type;
      this.compressed = compressed;
    }

    /** A new decompressor. */
    abstract NativeDecompressor create();

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    Class<? extends NativeDecompressor> type() {
      return type;
    }

    /**
     * Whether the library works in this process. Its native code may not load, for example from a
     * temporary directory that is mounted noexec, or it is of another version than its classes.
     */
    boolean works() {
      byte[] in = bytes(compressed);
      byte[] out = new byte[SAMPLE.length()];
      try (NativeDecompressor decompressor = create()) {
        if (decompressor.decompress(in, 0, in.length, out, 0, out.length) == out.length
            && Arrays.equals(out, bytes(SAMPLE))) {
          return true;
        }
        throw new IOException("it gives other bytes than were compressed");
      } catch (VirtualMachineError e) {
        throw e;
      } catch (Exception | Error e) {
        // Snappy's own Error is none of a linkage.
        if (!(e.getCause() instanceof ClassNotFoundException)) {
          LOG.warn("{} cannot be used, so {} is decompressed in Java: {}", title, this, reason(e));
        }
        return false;
      }
    }

    private static String reason(Throwable failure) {
      return failure.getClass().getSimpleName() + ": " + StorageFailures.reason(failure);
    }
  }

  /**
   * Decompresses a chunk.
   *
   * @param at offset of the compressed bytes in {@code in}
   * @param count number of compressed bytes
   * @param to offset in {@code out}
   * @param room maximum number of bytes to write
   * @return number of bytes written
   * @throws IOException or a RuntimeException of the library, when the bytes are corrupt
   */
  abstract int decompress(byte[] in, int at, int count, byte[] out, int to, int room)
      throws IOException;

  /** Other blocks HBase reads as a stream of the codec in Java. */
  @Override
  public boolean canDecompress(ByteBuff output, ByteBuff input) {
    return output.hasArray() && input.hasArray();
  }

  @Override
  public int decompress(ByteBuff output, ByteBuff input, int inputLen) throws IOException {
    int wanted = output.remaining();
    int count = BlockDecompressorHelper.decompress(output, input, inputLen, this::chunk);
    if (count != wanted) {
      throw new IOException("the block must have " + wanted + " bytes, found " + count);
    }
    return count;
  }

  private int chunk(ByteBuff output, ByteBuff input, int count) throws IOException {
    if (count < 0 || count > input.remaining()) {
      throw new IOException(
          "a chunk must have up to " + input.remaining() + " bytes, found " + count);
    }
    int written =
        decompress(
            input.array(),
            input.arrayOffset() + input.position(),
            count,
            output.array(),
            output.arrayOffset() + output.position(),
            output.remaining());
    input.skip(count);
    output.skip(written);
    return written;
  }

  @Override
  public void reinit(@Nullable HFileDecompressionContext context) {
    // Dictionaries, which this would be for, are none of HFiles that the codecs in Java can read.
  }

  @Override
  public void close() {
    // Only zstd has memory of its own.
  }

  private static final class Zstd extends NativeDecompressor {
    private final ZstdDecompressCtx context = new ZstdDecompressCtx();

    @Override
    int decompress(byte[] in, int at, int count, byte[] out, int to, int room) {
      return context.decompressByteArray(out, to, room, in, at, count);
    }

    @Override
    public void close() {
      context.close();
    }
  }

  private static final class Snappy extends NativeDecompressor {
    @Override
    int decompress(byte[] in, int at, int count, byte[] out, int to, int room) throws IOException {
      // The library trusts that this number fits; negative above 2 GB.
      int length = org.xerial.snappy.Snappy.uncompressedLength(in, at, count);
      if (length < 0 || length > room) {
        throw new IOException("a chunk must give up to " + room + " bytes, found " + length);
      }
      return org.xerial.snappy.Snappy.uncompress(in, at, count, out, to);
    }
  }

  private static final class Lz4 extends NativeDecompressor {
    private final LZ4SafeDecompressor decompressor = LZ4Factory.nativeInstance().safeDecompressor();

    @Override
    int decompress(byte[] in, int at, int count, byte[] out, int to, int room) {
      return decompressor.decompress(in, at, count, out, to, room);
    }
  }
}
