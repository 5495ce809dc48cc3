package io.tsdbsuite.rollup.cli;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;

/** Throws an unforeseen error, selected by the host: {@code faulty://memory/} or another. */
public final class FaultyFileSystem extends LocalFileSystem {
  static final String SETTING = "spark.hadoop.fs.faulty.impl";

  /** For Hadoop. */
  public FaultyFileSystem() {}

  @Override
  public void initialize(URI uri, Configuration conf) {
    if ("memory".equals(uri.getHost())) {
      throw new OutOfMemoryError("Java heap space");
    }
    throw new AssertionError("unforeseen error");
  }
}
