package io.tsdbsuite.bulk.input;

import io.tsdbsuite.job.JobException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/** Compression of a file. Its first bytes decide; the end of its name only warns. */
public enum Compression {
  /** Uncompressed. */
  PLAIN,
  /** gzip, one member or several. */
  GZIP,
  /** Zstandard, one frame or several, with a window up to 128 MB. */
  ZSTD,
  /** bzip2, one stream or several. */
  BZIP2;

  /** Number of bytes for the detection. */
  static final int MAGIC = 16;

  /** Bytes that it takes to recognise each of them, and less than a line with a point has. */
  private static final int SHORTEST = 10;

  private static final List<String> SUFFIXES = List.of(".gz", ".zst", ".zstd", ".bz2");
  private static final Map<String, String> OTHERS =
      Map.of(
          "fd377a585a00", "xz",
          "504b0304", "zip",
          "04224d18", "lz4",
          "ff060000734e61507059", "snappy",
          "377abcaf271c", "7z",
          "4f626a01", "Avro",
          "fffe", "UTF-16",
          "feff", "UTF-16",
          "50415231", "Parquet");

  /**
   * The compression of a file.
   *
   * @param magic its first bytes, {@link #MAGIC} bytes, or all bytes of a shorter file
   * @throws JobException when it is compressed in another way, or named as compressed and is not
   */
  static Compression of(String name, byte[] magic) {
    String hex = HexFormat.of().formatHex(magic);
    if (hex.startsWith("1f8b")) {
      return GZIP;
    }
    // A skippable frame may come first: 0x184d2a50 to 0x184d2a5f, the lowest byte first.
    if (hex.startsWith("28b52ffd") || hex.matches("5.2a4d18.*")) {
      return ZSTD;
    }
    // "BZh", the block size, and the first block's magic number or the last one of an empty file.
    if (hex.matches("425a683[1-9](314159265359|177245385090).*")) {
      return BZIP2;
    }
    for (Map.Entry<String, String> other : OTHERS.entrySet()) {
      if (hex.startsWith(other.getKey())) {
        throw JobException.badInput(
            name + ": must be UTF-8, plain or in gzip, zstd or bzip2, found " + other.getValue());
      }
    }
    requireText(name, magic, hex);
    return PLAIN;
  }

  private static void requireText(String name, byte[] magic, String hex) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean text = magic.length >= SHORTEST;
    for (byte b : magic) {
      text &= b < 0 || b >= ' ' || b == '\t' || b == '\n' || b == '\r';
    }
    if (!text && SUFFIXES.stream().anyMatch(lower::endsWith)) {
      throw JobException.badInput(
          name
              + ": named as compressed, must begin with the magic bytes of gzip, zstd or bzip2, "
              + (hex.isEmpty() ? "found an empty file" : "found " + hex));
    }
  }

  /**
   * The text of a compressed stream.
   *
   * @param in buffered
   */
  InputStream decompress(InputStream in) throws IOException {
    try {
      return switch (this) {
        case PLAIN -> in;
        case GZIP -> new GzipCompressorInputStream(in, true);
        case BZIP2 -> new BZip2CompressorInputStream(in, true);
        case ZSTD -> zstd(in);
      };
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // bzip2's first block is read at once, and corrupt ones end so.
      throw new IOException(e);
    }
  }

  private static InputStream zstd(InputStream in) {
    try {
      return new ZstdStream(in);
    } catch (LinkageError e) {
      throw JobException.usage(
          "zstd needs its native library, which could not be loaded from the tmp directory ("
              + e
              + "); name a directory that allows programs with -DZstdTempFolder=DIR");
    }
  }

  /** Message of an exception of a decompressor. */
  static String explain(IOException e) {
    String message = e.getMessage();
    if (e instanceof EOFException) {
      return "ends too early, it is truncated";
    }
    if (message != null && message.contains("too much memory")) {
      return "zstd's window must not be larger than 128 MB (--long=27): " + message;
    }
    return "is corrupt or truncated: " + (message == null ? e.toString() : message);
  }
}
