package io.tsdbsuite.bulk.spill;

import io.airlift.compress.lz4.Lz4Decompressor;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Buffer for decompressing blocks; one for all runs of a thread. */
final class BlockScratch {
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
