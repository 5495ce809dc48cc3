package org.apache.hadoop.hbase.io.hfile;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBufferInputStream;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.HFileBlockDecodingContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The data blocks of an open HFile, one after the other, as plain KeyValues in an array. HBase does
 * the reading, checksums, decompression and decoding. The class is in HBase's package because the
 * size of the next block is package-private. For one thread.
 */
public final class DataBlocks {
  /** HBase's limit for a cell is 10 MB, and a block ends with the cell that fills it. */
  private static final int MOST_DECODED_BYTES = 256 << 20;

  private final HFile.Reader reader;
  private final DataBlockEncoder encoder;
  private final HFileBlockDecodingContext decoding;

  private HFileBlock block;
  private long offset = -1;
  private byte[] array;
  private int from;
  private int to;

  /** No block is loaded yet. */
  public DataBlocks(HFile.Reader reader, Configuration conf) {
    this.reader = reader;
    DataBlockEncoding encoding = reader.getDataBlockEncoding();
    this.encoder = encoding == DataBlockEncoding.NONE ? null : encoding.getEncoder();
    this.decoding =
        encoder == null ? null : encoder.newDataBlockDecodingContext(conf, reader.getFileContext());
  }

  /**
   * Whether the blocks of a file can be decoded to plain KeyValues. Cells decoded from ROW_INDEX_V1
   * lack the length field of tags if they have no tags; cells of other encodings have it.
   */
  public static boolean isReadable(HFile.Reader reader) {
    return reader.getDataBlockEncoding() != DataBlockEncoding.ROW_INDEX_V1
        || !reader.getFileContext().isIncludesTags();
  }

  /** Whether cells have a 2-byte length of their tags after the value. */
  public boolean includesTags() {
    return reader.getFileContext().isIncludesTags();
  }

  /** Whether cells have a variable-length sequence number at their end. */
  public boolean includesSequence() {
    return reader.getHFileInfo().shouldIncludeMemStoreTS();
  }

  /**
   * Loads a block.
   *
   * @param at bytes from the start of the HFile
   * @param onDiskSize its bytes, header included; negative if not known
   * @throws IOException when storage fails or the block is corrupt; {@link #offset} is then the
   *     offset of this block
   */
  public void load(long at, long onDiskSize) throws IOException {
    offset = at;
    block = null;
    use(read(at, onDiskSize, BlockType.DATA));
  }

  /**
   * Loads the next data block; index and Bloom filter blocks in between are skipped.
   *
   * @return false when there is none; then the last block stays loaded
   * @throws IOException as {@link #load}
   */
  public boolean next() throws IOException {
    HFileBlock last = block;
    long end = reader.getTrailer().getLastDataBlockOffset();
    while (last.getOffset() < end) {
      offset = last.getOffset() + last.getOnDiskSizeWithHeader();
      last = read(offset, last.getNextBlockOnDiskSize(), null);
      if (last.getBlockType().isData()) {
        use(last);
        return true;
      }
    }
    return false;
  }

  private HFileBlock read(long at, long onDiskSize, BlockType type) throws IOException {
    return reader.readBlock(
        at, onDiskSize, false, true, false, true, type, reader.getDataBlockEncoding());
  }

  private void use(HFileBlock data) throws IOException {
    if (encoder == null) {
      ByteBuff buffer = data.getBufferWithoutHeader();
      array = buffer.array();
      from = buffer.arrayOffset() + buffer.position();
      to = buffer.arrayOffset() + buffer.limit();
    } else {
      decode(data);
    }
    block = data;
  }

  private void decode(HFileBlock data) throws IOException {
    if (data.getBlockType() != BlockType.ENCODED_DATA
        || !DataBlockEncoding.isCorrectEncoder(encoder, data.getDataBlockEncodingId())) {
      throw new IOException(
          "the file is encoded with %s, but its block at offset %s is not"
              .formatted(reader.getDataBlockEncoding(), offset));
    }
    ByteBuff buffer = data.getBufferReadOnly();
    int at = buffer.arrayOffset() + data.headerSize() + DataBlockEncoding.ID_SIZE;
    int length = data.getUncompressedSizeWithoutHeader() - DataBlockEncoding.ID_SIZE;
    if (reader.getDataBlockEncoding() != DataBlockEncoding.ROW_INDEX_V1) {
      requireDecodable(buffer.array(), at, length);
    }
    // A ByteArrayInputStream takes a lock for each of the decoder's reads, several for each cell.
    ByteBufferInputStream encoded =
        new ByteBufferInputStream(ByteBuffer.wrap(buffer.array(), at, length));
    ByteBuffer decoded = encoder.decodeKeyValues(new DataInputStream(encoded), decoding);
    if (reader.getDataBlockEncoding() != DataBlockEncoding.ROW_INDEX_V1) {
      // These decoders leave the position at the end of their output, the other one at its start.
      decoded.flip();
    }
    array = decoded.array();
    from = decoded.arrayOffset() + decoded.position();
    to = decoded.arrayOffset() + decoded.limit();
  }

  /**
   * These encodings begin with the decoded size; HBase allocates an array of it without a check.
   */
  private void requireDecodable(byte[] encoded, int at, int length) throws IOException {
    int size = length < Integer.BYTES ? -1 : Bytes.toInt(encoded, at);
    if (size < 0 || size > MOST_DECODED_BYTES) {
      throw new IOException(
          "the block at offset %s must decode to at most %s bytes, found %s"
              .formatted(offset, MOST_DECODED_BYTES, size));
    }
  }

  /** Offset of the block that is loaded, or whose load failed last; negative before the first. */
  public long offset() {
    return offset;
  }

  /** Offset of the block after the loaded block. */
  public long nextOffset() {
    return block.getOffset() + block.getOnDiskSizeWithHeader();
  }

  /** Whether a block is loaded. */
  public boolean isLoaded() {
    return block != null;
  }

  /** The array with the cells; it does not change. */
  public byte[] array() {
    return array;
  }

  /** Index of the first cell in the array. */
  public int from() {
    return from;
  }

  /** Index after the last cell in the array. */
  public int to() {
    return to;
  }
}
