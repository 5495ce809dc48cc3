package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.row.PackedPoints;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Writes a run under a temporary name; it gets its own when it is complete and on disk. */
final class RunWriter implements Closeable {
  static final String TEMPORARY = ".tmp";

  private static final int ENTRY_OVERHEAD = 64;

  private final Path path;
  private final Path temporary;
  private final FileChannel channel;
  private final BlockWriter writer;
  private final Bytes block = new Bytes(RunFormat.BLOCK_LENGTH * 2);
  private final Bytes index = new Bytes(1 << 12);
  private byte[] key = new byte[64];
  private int keyLength;
  private byte[] firstKey = new byte[0];
  private boolean later;
  private long indexed;
  private long seriesAt = -1;
  private long hours;
  private long points;
  private boolean finished;

  RunWriter(Path path) throws IOException {
    this.path = path;
    this.temporary = path.resolveSibling(path.getFileName() + TEMPORARY);
    this.channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    writeFully(ByteBuffer.allocate(RunFormat.MAGIC_LENGTH).putLong(RunFormat.MAGIC).flip());
    this.writer = new BlockWriter(channel, RunFormat.MAGIC_LENGTH);
  }

  /**
   * Points of an hour.
   *
   * @param more whether the next call has later points of the same key
   */
  void hour(byte[] rowKey, int keyLen, byte[] packed, int off, int len, int count, boolean more)
      throws IOException {
    int from = off;
    int left = count;
    int end = off + len;
    while (end - from > RunFormat.PIECE_LENGTH + PackedPoints.MAX_LENGTH) {
      int at = from;
      int last = from;
      int n = 0;
      while (at - from < RunFormat.PIECE_LENGTH) {
        last = at;
        at += PackedPoints.length(packed, at);
        n++;
      }
      entry(rowKey, keyLen, packed, from, at - from, n, PackedPoints.offsetMillis(packed, last));
      from = at;
      left -= n;
    }
    int last = more ? PackedPoints.offsetMillis(packed, lastPoint(packed, from, end)) : -1;
    entry(rowKey, keyLen, packed, from, end - from, left, last);
    hours += later ? 0 : 1;
    later = more;
    points += count;
  }

  private static int lastPoint(byte[] packed, int from, int end) {
    int last = from;
    for (int at = from; at < end; at += PackedPoints.length(packed, at)) {
      last = at;
    }
    return last;
  }

  private void entry(
      byte[] rowKey, int keyLen, byte[] packed, int off, int len, int count, int last)
      throws IOException {
    if (block.length >= RunFormat.BLOCK_LENGTH) {
      flush();
    }
    block.reserve(ENTRY_OVERHEAD + keyLen + len);
    int shared = 0;
    if (block.length == 0) {
      indexBlock(rowKey, keyLen);
    } else {
      int mismatch = Arrays.mismatch(key, 0, keyLength, rowKey, 0, keyLen);
      shared = mismatch < 0 ? keyLen : mismatch;
    }
    block.number(shared);
    block.number(keyLen - shared);
    block.bytes(rowKey, shared, keyLen - shared);
    block.number(((long) count << 1) | (last < 0 ? 0 : 1));
    if (last >= 0) {
      block.number(last);
    }
    block.number(len);
    block.bytes(packed, off, len);
    if (key.length < keyLen) {
      key = new byte[keyLen * 2];
    }
    System.arraycopy(rowKey, shared, key, shared, keyLen - shared);
    keyLength = keyLen;
  }

  private void indexBlock(byte[] rowKey, int keyLen) {
    byte[] first = Arrays.copyOf(rowKey, keyLen);
    if (firstKey.length == 0) {
      firstKey = first;
    }
    index.reserve(9);
    index.number(writer.position() - indexed);
    index.sized(first);
    indexed = writer.position();
  }

  /** Adds a series, after all hours. */
  void series(byte[] tsuid, byte[] names, long accepted, long count, long newestMillis)
      throws IOException {
    endHours();
    if (block.length >= RunFormat.BLOCK_LENGTH) {
      flush();
    }
    block.sized(tsuid);
    block.sized(names);
    block.reserve(27);
    block.number(accepted);
    block.number(count);
    block.number(newestMillis);
  }

  private void endHours() throws IOException {
    if (seriesAt < 0) {
      flush();
      seriesAt = writer.position();
    }
  }

  private void flush() throws IOException {
    if (block.length > 0) {
      writer.write(block.array, block.length);
      block.clear();
    }
  }

  /** Completes the run, which must have an hour. */
  RunFile finish(RunOrder first, RunOrder last, String source) throws IOException {
    endHours();
    flush();
    long indexAt = writer.position();
    for (int at = 0; at < index.length; ) {
      at = indexPiece(at);
    }
    long footerAt = writer.position();
    RunFile run =
        new RunFile(
            path,
            first,
            last,
            hours,
            points,
            0,
            firstKey,
            Arrays.copyOf(key, keyLength),
            source,
            seriesAt,
            indexAt,
            footerAt);
    Bytes footer = run.footer();
    writer.write(footer.array, footer.length);
    trailer(footerAt);
    channel.force(true);
    channel.close();
    Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory =
        FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
      directory.force(true);
    }
    finished = true;
    return RunFile.read(path);
  }

  /**
   * Writes a block of whole entries of the index; returns the index of the first byte after the
   * block.
   */
  private int indexPiece(int from) throws IOException {
    index.at = from;
    while (!index.done() && index.at - from < RunFormat.BLOCK_LENGTH) {
      index.number();
      int len = index.small();
      index.at += len;
    }
    byte[] piece = Arrays.copyOfRange(index.array, from, index.at);
    writer.write(piece, piece.length);
    return index.at;
  }

  private void trailer(long footerAt) throws IOException {
    ByteBuffer trailer = ByteBuffer.allocate(RunFormat.TRAILER_LENGTH);
    trailer.putLong(footerAt).putLong(writer.position() + RunFormat.TRAILER_LENGTH);
    CRC32C crc = new CRC32C();
    crc.update(trailer.array(), 0, 16);
    trailer.putInt((int) crc.getValue()).putInt(RunFormat.END_MAGIC).flip();
    writeFully(trailer);
  }

  private void writeFully(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Deletes the run unless it is complete. */
  @Override
  public void close() throws IOException {
    if (!finished) {
      channel.close();
      Files.deleteIfExists(temporary);
    }
  }
}
