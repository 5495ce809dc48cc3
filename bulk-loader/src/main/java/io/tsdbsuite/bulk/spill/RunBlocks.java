package io.tsdbsuite.bulk.spill;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Reads blocks of a run, and checks them. */
final class RunBlocks implements Closeable {
  private final Path path;
  private final FileChannel channel;
  private final long size;

  RunBlocks(Path path) throws IOException {
    this.path = path;
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
    this.size = channel.size();
  }

  /** Length of the file, bytes. */
  long size() {
    return size;
  }

  /** Where the footer begins; the file has its whole length. */
  long checkedFooter() throws IOException {
    if (size < RunFormat.MAGIC_LENGTH + RunFormat.TRAILER_LENGTH) {
      throw damaged(size, "a run must be longer than " + size + " bytes");
    }
    ByteBuffer head = ByteBuffer.allocate(RunFormat.MAGIC_LENGTH);
    readFully(head, 0);
    if (head.getLong(0) != RunFormat.MAGIC) {
      throw damaged(0, "it must begin with " + Long.toHexString(RunFormat.MAGIC));
    }
    long trailerAt = size - RunFormat.TRAILER_LENGTH;
    ByteBuffer trailer = ByteBuffer.allocate(RunFormat.TRAILER_LENGTH);
    readFully(trailer, trailerAt);
    CRC32C crc = new CRC32C();
    crc.update(trailer.array(), 0, 16);
    if (trailer.getInt(20) != RunFormat.END_MAGIC || trailer.getInt(16) != (int) crc.getValue()) {
      throw damaged(trailerAt, "its end is missing or changed");
    }
    if (trailer.getLong(8) != size) {
      throw damaged(trailerAt, "it must have " + trailer.getLong(8) + " bytes, found " + size);
    }
    return trailer.getLong(0);
  }

  /** Reads the block that begins there. */
  void read(long at, Scratch scratch, Block into) throws IOException {
    if (at < 0 || at > size - RunFormat.BLOCK_HEADER_LENGTH) {
      throw damaged(at, "no block can begin there");
    }
    ByteBuffer header = scratch.header.clear();
    readFully(header, at);
    int stored = header.getInt(0);
    int length = header.getInt(4);
    if (stored < 0
        || stored > length
        || length > RunFormat.MAX_BLOCK_LENGTH
        || at + RunFormat.BLOCK_HEADER_LENGTH + stored > size) {
      throw damaged(at, "lengths " + stored + " and " + length + " cannot be");
    }
    Bytes bytes = into.bytes;
    bytes.clear();
    bytes.reserve(length);
    byte[] target = stored == length ? bytes.array : scratch.stored(stored);
    readFully(ByteBuffer.wrap(target, 0, stored), at + RunFormat.BLOCK_HEADER_LENGTH);
    CRC32C crc = scratch.crc;
    crc.reset();
    crc.update(header.slice(0, 8));
    crc.update(target, 0, stored);
    if ((int) crc.getValue() != header.getInt(8)) {
      throw damaged(at, "the CRC of its block does not match");
    }
    if (stored < length) {
      unpack(scratch, stored, bytes, length, at);
    }
    bytes.length = length;
    into.next = at + RunFormat.BLOCK_HEADER_LENGTH + stored;
  }

  private void unpack(Scratch scratch, int stored, Bytes bytes, int length, long at) {
    try {
      int unpacked =
          scratch.decompressor.decompress(
              scratch.stored, 0, stored, bytes.array, 0, bytes.array.length);
      if (unpacked != length) {
        throw damaged(at, "its block unpacks to " + unpacked + " bytes instead of " + length);
      }
    } catch (MalformedInputException e) {
      throw damaged(at, "its block cannot be unpacked: " + e.getMessage());
    }
  }

  private void readFully(ByteBuffer into, long at) throws IOException {
    long from = at;
    while (into.hasRemaining()) {
      int read = channel.read(into, from);
      if (read < 0) {
        throw damaged(from, "the file ends there");
      }
      from += read;
    }
  }

  private JobException damaged(long at, String problem) {
    return JobException.outside(
        "run %s is damaged at byte %s: %s; load into a new work directory"
            .formatted(path, at, problem));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** A block that was read; reused for the next one. */
  static final class Block {
    /** Its bytes, not packed. */
    final Bytes bytes = new Bytes(1 << 10);

    /** Where the next block begins in the file. */
    long next;
  }

  /** Buffer for decompressing blocks; one for all runs of a thread. */
  static final class Scratch {
    final Lz4Decompressor decompressor = new Lz4Decompressor();
    final CRC32C crc = new CRC32C();
    final ByteBuffer header = ByteBuffer.allocate(RunFormat.BLOCK_HEADER_LENGTH);
    byte[] stored = new byte[0];

    /** Room for a packed block. */
    byte[] stored(int length) {
      if (stored.length < length) {
        stored = new byte[length + length / 4];
      }
      return stored;
    }
  }
}
