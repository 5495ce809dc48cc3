package io.tsdbsuite.testkit.server;

import org.apache.hadoop.fs.LocalFileSystem;

/**
 * The local file system with a canonical service name, like HDFS. HBase's bulk load uses this name
 * to detect that a file is on its own file system, and moves the file; without a name it copies the
 * file twice. Set as {@code fs.file.impl}, it makes a bulk load as cheap as on HDFS.
 */
public final class MovingLocalFileSystem extends LocalFileSystem {
  @Override
  public String getCanonicalServiceName() {
    return "local";
  }
}
