package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.apache.hadoop.hbase.io.hfile.ReaderContextBuilder;

/**
 * A store file of a snapshot, opened at its location, without a restored region directory. HBase's
 * own class sends a request for the status of each file, and does not verify HBase's checksums;
 * this class takes an input that avoids both. It is in HBase's package because it overrides
 * package-private methods.
 */
public final class SnapshotStoreFileInfo extends StoreFileInfo {

  /** Opens the bytes of the HFile; called once for the index and once for each stream reader. */
  @FunctionalInterface
  public interface InputOpener {
    /** A new input at the start of the HFile. */
    FSDataInputStreamWrapper open(ReaderType type) throws IOException;
  }

  private final FileSystem fileSystem;
  private final Path hfile;
  private final long length;
  private final InputOpener opener;

  /**
   * @param namedAs the path from whose name HBase reads the bulk load sequence id and the parent
   *     region
   * @param hfile path of the HFile
   * @param length bytes of the HFile
   * @param reference the half that is read; null for the whole file
   */
  public SnapshotStoreFileInfo(
      Configuration conf,
      FileSystem fileSystem,
      Path namedAs,
      Path hfile,
      long length,
      Reference reference,
      InputOpener opener) {
    super(conf, fileSystem, 0L, namedAs, length, reference, null, false);
    this.fileSystem = fileSystem;
    this.hfile = hfile;
    this.length = length;
    this.opener = opener;
  }

  @Override
  ReaderContext createReaderContext(boolean doDropBehind, long readahead, ReaderType type)
      throws IOException {
    return new ReaderContextBuilder()
        .withInputStreamWrapper(opener.open(type))
        .withFileSize(length)
        .withPrimaryReplicaReader(false)
        .withReaderType(type)
        .withFileSystem(fileSystem)
        .withFilePath(hfile)
        .build();
  }

  @Override
  void initHDFSBlocksDistribution() {
    // Locality is for region servers; it would cost a request per file.
  }

  @Override
  public HDFSBlocksDistribution getHDFSBlockDistribution() {
    return new HDFSBlocksDistribution();
  }
}
