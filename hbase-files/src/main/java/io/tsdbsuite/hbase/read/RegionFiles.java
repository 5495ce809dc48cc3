package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotFile.Half;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SnapshotStoreFileInfo;
import org.jspecify.annotations.Nullable;

/** The open store files of one region. For one thread; close it to close the files. */
public final class RegionFiles implements Closeable {
  private static final long INDEX_CACHE_BYTES = 32L << 20;

  /** Maximum number of bytes to fetch at once, for all files together. */
  private static final int PIECES_BYTES = 32 << 20;

  private static final int MOST_PIECE_BYTES = 4 << 20;
  private static final int LEAST_PIECE_BYTES = 256 << 10;

  private final ReadSource source;
  private final List<SnapshotFile> wanted;
  private final boolean sequential;
  private final ReadTracker tracker;
  private @Nullable IndexBlockCache indexCache;
  private final List<HStoreFile> stores = new ArrayList<>();
  private final List<OpenFile> files = new ArrayList<>();

  /**
   * Rules for a cache of index blocks. The hbase-site.xml of a region server can ask for a
   * prefetch, by which a pool of threads reads each opened file completely: a scan reads parts, by
   * one thread.
   */
  private static final class IndexCacheConfig extends CacheConfig {
    IndexCacheConfig(Configuration conf, BlockCache cache) {
      super(conf, cache);
    }

    @Override
    public boolean shouldPrefetchOnOpen() {
      return false;
    }
  }

  private RegionFiles(
      ReadSource source, List<SnapshotFile> wanted, boolean sequential, ReadTracker tracker) {
    this.source = source;
    this.wanted = wanted;
    this.sequential = sequential;
    this.tracker = tracker;
  }

  /**
   * Opens the files, and reads the trailer, index and metadata of each, a second time if they are
   * corrupt.
   *
   * @param sequential whether most of each file will be read; determines the read policy of storage
   * @throws IOException when storage fails, or the end of a file is corrupt; see {@link
   *     ReadTracker}
   * @throws StorageException configuration, when a file needs a codec or a key that this process
   *     lacks
   */
  public static RegionFiles open(
      ReadSource source, List<SnapshotFile> files, boolean sequential, ReadTracker tracker)
      throws IOException {
    Codecs.install();
    RegionFiles region = new RegionFiles(source, files, sequential, tracker);
    try {
      region.openAll();
      return region;
    } catch (IOException | RuntimeException e) {
      region.close();
      throw e;
    }
  }

  /**
   * Opens all files again, without any bytes that were read before; readers of rows must be opened
   * again too.
   *
   * @throws IOException as {@link #open}
   */
  void reopen() throws IOException {
    close();
    stores.clear();
    files.clear();
    openAll();
  }

  private void openAll() throws IOException {
    IndexBlockCache cache = new IndexBlockCache(INDEX_CACHE_BYTES);
    indexCache = cache;
    for (SnapshotFile file : wanted) {
      try {
        add(file, cache);
      } catch (IOException | RuntimeException e) {
        if (tracker.hasStorageFailed()) {
          throw e;
        }
        again(file, cache);
      }
    }
  }

  private void again(SnapshotFile file, IndexBlockCache cache) throws IOException {
    try {
      add(file, cache);
    } catch (IOException | RuntimeException e) {
      if (!tracker.hasStorageFailed()) {
        requireSupport(file);
      }
      throw e;
    }
  }

  /** A file that this process lacks the means to read is not damaged. */
  private void requireSupport(SnapshotFile file) throws IOException {
    Path path = new Path(file.path());
    VerifyingInput input = VerifyingInput.open(source.fileSystem(), path, file, "random", tracker);
    try {
      TrailerCheck.requireSupport(
          source.conf(), file.path(), input.getStream(false), file.length());
    } catch (StorageException e) {
      tracker.refuse();
      throw e;
    } finally {
      input.close();
    }
  }

  private void add(SnapshotFile file, IndexBlockCache cache) throws IOException {
    Path path = new Path(file.path());
    VerifyingInput[] inputs = new VerifyingInput[1];
    SnapshotStoreFileInfo info =
        new SnapshotStoreFileInfo(
            source.conf(),
            source.fileSystem(),
            path.getName().equals(file.name()) ? path : new Path(path.getParent(), file.name()),
            path,
            file.length(),
            reference(file),
            type -> {
              boolean stream = type == ReaderType.STREAM;
              VerifyingInput input =
                  VerifyingInput.open(
                      source.fileSystem(),
                      path,
                      file,
                      sequential && stream ? "sequential" : "random",
                      tracker);
              if (!stream) {
                inputs[0] = input;
              }
              return input;
            });
    // Bloom filters serve gets; a scan does not use them.
    HStoreFile opened =
        new HStoreFile(info, BloomType.NONE, new IndexCacheConfig(source.conf(), cache));
    stores.add(opened);
    opened.initReader();
    TrailerCheck.check(opened.getReader().getHFileReader());
    files.add(new OpenFile(file, opened, inputs[0], tracker));
  }

  private static @Nullable Reference reference(SnapshotFile file) {
    if (file.half() == Half.WHOLE) {
      return null;
    }
    return file.half() == Half.TOP
        ? Reference.createTopReference(file.splitRow())
        : Reference.createBottomReference(file.splitRow());
  }

  /** The files that may have this row or a later one. */
  List<HStoreFile> reaching(byte[] row) {
    return files.stream().filter(file -> file.reaches(row)).map(OpenFile::store).toList();
  }

  List<OpenFile> open() {
    return files;
  }

  /** Maximum number of bytes of a file to fetch at once. */
  int piece() {
    return Math.max(
        LEAST_PIECE_BYTES, Math.min(MOST_PIECE_BYTES, PIECES_BYTES / Math.max(1, files.size())));
  }

  /**
   * Lets each file fetch the blocks of a range together.
   *
   * @param row first row of the range
   * @param stopRow limit of the range, exclusive; empty for the end of the table
   */
  void expect(byte[] row, byte[] stopRow, ReadRanges ranges) throws IOException {
    byte[] end = ranges.end(row);
    if (end == null || (stopRow.length > 0 && Arrays.compareUnsigned(stopRow, end) < 0)) {
      end = stopRow.length > 0 ? stopRow : null;
    }
    for (OpenFile file : files) {
      if (file.reaches(row)) {
        file.expect(row, end, piece());
      }
    }
  }

  ReadTracker tracker() {
    return tracker;
  }

  /** The reader of the file at {@code path}; null when there is none. */
  HFile.@Nullable Reader readerOf(String path) {
    for (OpenFile file : files) {
      if (file.reader().getPath().toString().equals(path)) {
        return file.reader();
      }
    }
    return null;
  }

  @Override
  public void close() {
    for (HStoreFile file : stores) {
      try {
        file.closeStoreFile(false);
      } catch (IOException e) {
        // A failure to close a file that was only read loses no data.
      }
    }
    if (indexCache != null) {
      indexCache.shutdown();
    }
  }
}
