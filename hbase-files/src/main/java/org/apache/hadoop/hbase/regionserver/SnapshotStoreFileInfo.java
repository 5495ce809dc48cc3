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
 * A store file of a snapshot, opened where it was found, without a restored region directory.
 * HBase's own class asks the file system again for each file and opens it without verifying HBase's
 * checksums; the input given here decides both. It lives in HBase's package because the methods to
 * override are visible there only.
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
   * @param namedAs the path that HBase reads names from (bulk load sequence id, parent region)
   * @param hfile where the bytes are
   * @param length bytes of the HFile
   * @param reference the half that is read, or null for all
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
    // Locality is for region servers; asking for it costs a request per file.
  }

  @Override
  public HDFSBlocksDistribution getHDFSBlockDistribution() {
    return new HDFSBlocksDistribution();
  }
}
