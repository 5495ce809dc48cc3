package io.tsdbsuite.bulk.spill;

import io.airlift.compress.lz4.Lz4Compressor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** Writes blocks of a run, each compressed if compression makes it smaller. */
final class BlockWriter {
  /** Blocks that are not compressed after one that did not become smaller. */
  private static final int SKIP = 15;

  private final FileChannel channel;
  private final Lz4Compressor compressor = new Lz4Compressor();
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer header = ByteBuffer.allocate(RunFormat.BLOCK_HEADER_LENGTH);
  private byte[] packed = new byte[0];
  private int skip;
  private long position;

  /** Writes to the end of a file with a known length. */
  BlockWriter(FileChannel channel, long position) {
    this.channel = channel;
    this.position = position;
  }

  /** Where the next block begins. */
  long position() {
    return position;
  }

  /** Writes a block. */
  void write(byte[] bytes, int length) throws IOException {
    int stored = pack(bytes, length);
    byte[] body = stored < length ? packed : bytes;
    header.clear().putInt(stored).putInt(length);
    crc.reset();
    crc.update(header.array(), 0, 8);
    crc.update(body, 0, stored);
    header.putInt((int) crc.getValue()).flip();
    ByteBuffer[] both = {header, ByteBuffer.wrap(body, 0, stored)};
    while (both[1].hasRemaining()) {
      position += channel.write(both);
    }
  }

  /** The length to store: of the packed bytes, or unchanged if packing does not help. */
  private int pack(byte[] bytes, int length) {
    if (skip > 0) {
      skip--;
      return length;
    }
    int most = compressor.maxCompressedLength(length);
    if (packed.length < most) {
      packed = new byte[most + most / 4];
    }
    int result = compressor.compress(bytes, 0, length, packed, 0, packed.length);
    if (result > length - length / 8) {
      skip = SKIP;
      return length;
    }
    return result;
  }
}
