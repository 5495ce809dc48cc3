package io.tsdbsuite.testkit.server;

import org.apache.hadoop.fs.LocalFileSystem;

/**
 * The local file system with a name of a service, as HDFS has one. HBase's bulk load tells by it
 * that a file is on its own file system, and moves it; without a name it copies it twice. For
 * {@code fs.file.impl} where a bulk load is to cost what it costs on HDFS.
 */
public final class MovingLocalFileSystem extends LocalFileSystem {
  @Override
  public String getCanonicalServiceName() {
    return "local";
  }
}
