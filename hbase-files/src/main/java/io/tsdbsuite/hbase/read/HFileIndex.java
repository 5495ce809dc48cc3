package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.jspecify.annotations.Nullable;

/**
 * The level of an HFile's index above the leaves: rows and their positions in the file.
 *
 * @param entries in row order
 * @param firstRow the first row of the file; null when the file is empty
 * @param lastRow the last row of the file; null when the file is empty
 * @param dataBytes bytes of the data and leaf index blocks, compressed
 * @param cells cells in the file
 * @param rows rows in the file, exact if the file has a row Bloom filter, else an upper bound
 */
public record HFileIndex(
    List<Entry> entries,
    byte @Nullable [] firstRow,
    byte @Nullable [] lastRow,
    long dataBytes,
    long cells,
    long rows) {

  /**
   * An entry of the index.
   *
   * @param row the first row of its first block, or a row between that and the row before it
   * @param bytes of the blocks up to the next entry, compressed
   */
  public record Entry(byte[] row, long bytes) {}

  /** Receives the data blocks of an HFile, in row order. */
  @FunctionalInterface
  public interface BlockVisitor {
    /**
     * Receives a block.
     *
     * @param key the first row of the block; or, as HBase shortens keys, a row or a beginning of
     *     one that is after the last row before and not after the first
     * @param bytes of the block in the file: compressed, with its header
     * @param rows reads the block
     * @throws IOException when {@code rows} does
     */
    void block(byte[] key, long bytes, RowSource rows) throws IOException;
  }

  /** Reads a data block. */
  @FunctionalInterface
  public interface RowSource {
    /**
     * Reads the first row of the block.
     *
     * @throws IOException when storage fails or the block is corrupt
     */
    byte[] first() throws IOException;
  }

  /**
   * Reads the trailer, the index without its leaves, and the metadata of an HFile; no data block.
   *
   * @throws IOException when storage fails or the end of the file is corrupt
   */
  public static HFileIndex read(ReadSource source, SnapshotFile file, ReadTracker tracker)
      throws IOException {
    return read(source, file, tracker, null);
  }

  /** An HFile of a manifest and its index. */
  public record Found(SnapshotFile file, HFileIndex index) {}

  /**
   * Finds an HFile and reads its index as {@link #read}. Mostly this takes one request for the end
   * of the file, because the manifest has the length.
   *
   * @throws StorageException bad input, when the file is missing or has another length
   * @throws IOException when storage fails or the end of the file is corrupt
   */
  public static Found find(
      ReadSource source,
      StoreFileResolver resolver,
      SnapshotRegion region,
      StoreFile storeFile,
      ReadTracker tracker)
      throws IOException {
    SnapshotFile found;
    try {
      for (SnapshotFile file : resolver.expect(region, storeFile)) {
        try {
          return new Found(file.confirm(), read(source, file, tracker));
        } catch (StorageException e) {
          // The trailer is where it must be.
          throw e;
        } catch (IOException | RuntimeException e) {
          IOException failure = tracker.takeFailure();
          if (failure == null || failure instanceof EOFException) {
            break;
          }
          if (!(failure instanceof FileNotFoundException)) {
            throw failure;
          }
        }
      }
      // Says what is wrong with path or length; if nothing is, the bytes may be corrupt.
      found = resolver.resolve(region, storeFile);
    } catch (IOException e) {
      throw tracker.failed(e);
    } catch (StorageException e) {
      tracker.refuse();
      throw e;
    }
    return new Found(found, read(source, found, tracker));
  }

  /**
   * The same with the leaves of the index.
   *
   * @param blocks called for each data block, also those outside of the half that a region owns
   * @throws UnsupportedOperationException when leaves of the index are encoded, which is not
   *     HBase's default
   * @throws IOException when storage fails, the end of the file or a block of the index is corrupt,
   *     or the visitor throws it
   */
  public static HFileIndex readBlocks(
      ReadSource source, SnapshotFile file, ReadTracker tracker, BlockVisitor blocks)
      throws IOException {
    return read(source, file, tracker, blocks);
  }

  private static HFileIndex read(
      ReadSource source, SnapshotFile file, ReadTracker tracker, @Nullable BlockVisitor blocks)
      throws IOException {
    try (RegionFiles files = RegionFiles.open(source, List.of(file), false, tracker)) {
      OpenFile open = files.open().get(0);
      StoreFileReader storeFile = open.store().getReader();
      HFile.Reader reader = storeFile.getHFileReader();
      storeFile.loadBloomfilter(BlockType.GENERAL_BLOOM_META, null);
      List<Entry> entries = entries(reader, tracker);
      if (blocks != null) {
        visit(open, blocks);
      }
      return new HFileIndex(
          entries,
          reader.getFirstRowKey().orElse(null),
          reader.getLastRowKey().orElse(null),
          entries.stream().mapToLong(Entry::bytes).sum(),
          reader.getEntries(),
          storeFile.getFilterEntries());
    }
  }

  private static void visit(OpenFile file, BlockVisitor blocks) throws IOException {
    BlockIndex index = new BlockIndex(file.reader());
    if (!index.hasBlocks()) {
      throw new UnsupportedOperationException("index blocks must have no encoding");
    }
    long[] end = {0};
    index.visitBlocks(
        block -> {
          if (block.offset() < end[0]) {
            throw new IOException(
                "the block at offset %s must begin after the one before, which ends at %s"
                    .formatted(block.offset(), end[0]));
          }
          end[0] = block.offset() + block.onDiskSize();
          byte[] key = CellUtil.cloneRow(block.key());
          blocks.block(key, block.onDiskSize(), () -> KeySample.firstFrom(file, key));
        });
    if (end[0] > file.reader().getTrailer().getLoadOnOpenDataOffset()) {
      throw new IOException("the last data block ends behind the data, at " + end[0]);
    }
  }

  private static List<Entry> entries(HFile.Reader reader, ReadTracker tracker) throws IOException {
    List<BlockIndex.Entry> level = new BlockIndex(reader).aboveLeaves(tracker);
    int count = level.size();
    // A leaf index block is after the data blocks that it lists; without leaves, entries are data
    // blocks.
    boolean leaves = reader.getTrailer().getNumDataIndexLevels() > 1;
    long end = reader.getTrailer().getLoadOnOpenDataOffset();
    List<Entry> entries = new ArrayList<>(count);
    long from = 0;
    for (int i = 0; i < count; i++) {
      long to = end;
      if (leaves) {
        to = level.get(i).offset();
      } else if (i + 1 < count) {
        to = level.get(i + 1).offset();
      }
      entries.add(new Entry(CellUtil.cloneRow(level.get(i).key()), Math.max(0, to - from)));
      from = to;
    }
    return entries;
  }
}
