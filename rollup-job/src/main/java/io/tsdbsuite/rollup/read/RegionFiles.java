package io.tsdbsuite.rollup.read;

import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.rollup.snapshot.SnapshotFile;
import io.tsdbsuite.rollup.snapshot.SnapshotFile.Half;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.IndexOnlyLruBlockCache;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.SnapshotStoreFileInfo;

/** The open store files of one region. For one thread; close it to close the files. */
public final class RegionFiles implements Closeable {
  private static final long INDEX_CACHE_BYTES = 32L << 20;
  private static final long INDEX_BLOCK_BYTES = 128L << 10;

  private final ReadTracker tracker;
  private final IndexOnlyLruBlockCache indexCache;
  private final List<HStoreFile> files = new ArrayList<>();

  private RegionFiles(ReadSource source, ReadTracker tracker) {
    this.tracker = tracker;
    this.indexCache =
        new IndexOnlyLruBlockCache(INDEX_CACHE_BYTES, INDEX_BLOCK_BYTES, true, source.conf());
  }

  /**
   * Opens the files: trailer, index and metadata of each are read.
   *
   * @param sequential whether most of each file will be read, which decides how storage is asked
   * @throws IOException when storage fails, or the end of a file makes no sense; see {@link
   *     ReadTracker}
   */
  public static RegionFiles open(
      ReadSource source, List<SnapshotFile> files, boolean sequential, ReadTracker tracker)
      throws IOException {
    Codecs.install();
    RegionFiles region = new RegionFiles(source, tracker);
    try {
      for (SnapshotFile file : files) {
        region.add(source, file, sequential);
      }
      return region;
    } catch (IOException | RuntimeException e) {
      region.close();
      throw e;
    }
  }

  private void add(ReadSource source, SnapshotFile file, boolean sequential) throws IOException {
    Path path = new Path(file.path());
    SnapshotStoreFileInfo info =
        new SnapshotStoreFileInfo(
            source.conf(),
            source.fileSystem(),
            new Path(path.getParent(), file.name()),
            path,
            file.length(),
            reference(file),
            type ->
                VerifyingInput.open(
                    source.fileSystem(),
                    path,
                    file.length(),
                    sequential && type == ReaderType.STREAM ? "sequential" : "random",
                    tracker));
    // Bloom filters serve gets; a scan never asks them.
    HStoreFile opened =
        new HStoreFile(info, BloomType.NONE, new CacheConfig(source.conf(), indexCache));
    files.add(opened);
    opened.initReader();
    TrailerCheck.check(opened.getReader().getHFileReader());
  }

  private static Reference reference(SnapshotFile file) {
    if (file.half() == Half.WHOLE) {
      return null;
    }
    return file.half() == Half.TOP
        ? Reference.createTopReference(file.splitRow())
        : Reference.createBottomReference(file.splitRow());
  }

  List<HStoreFile> files() {
    return files;
  }

  ReadTracker tracker() {
    return tracker;
  }

  /** The reader of the file whose bytes are at {@code path}; null when none is. */
  HFile.Reader readerOf(String path) {
    for (HStoreFile file : files) {
      if (file.getReader() != null
          && file.getReader().getHFileReader().getPath().toString().equals(path)) {
        return file.getReader().getHFileReader();
      }
    }
    return null;
  }

  @Override
  public void close() {
    for (HStoreFile file : files) {
      try {
        file.closeStoreFile(false);
      } catch (IOException e) {
        // Closing a file that was only read can lose nothing.
      }
    }
    indexCache.shutdown();
  }
}
