package io.tsdbsuite.rollup.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * The local file system, as {@code fs.file.impl}. It stops before an operation until a file is
 * deleted, so that a test can do something at this moment: before the deletion number {@value
 * #DELETIONS}, or before an HFile is created below an archive.
 */
public final class HeldFileSystem extends LocalFileSystem {
  /** Number of the deletion; 0 for none. */
  static final String DELETIONS = "test.hold.deletion";

  /** Path of a local file; an HFile is not created while it exists. */
  static final String HFILES = "test.hold.hfiles";

  /** Path of a local file that is written when the deletion is reached. */
  static final String REACHED = "test.hold.reached";

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final long PAUSE_MILLIS = 20;

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    int deletion = getConf().getInt(DELETIONS, 0);
    if (deletion > 0 && COUNT.incrementAndGet() >= deletion) {
      java.nio.file.Path reached = java.nio.file.Path.of(getConf().get(REACHED));
      Files.writeString(reached, path.toString());
      hold(reached);
    }
    return super.delete(path, recursive);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    String held = getConf().get(HFILES);
    if (held != null && path.toString().contains("/archive/data/")) {
      hold(java.nio.file.Path.of(held));
    }
    return super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  private static void hold(java.nio.file.Path file) throws IOException {
    try {
      while (Files.exists(file)) {
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted", e));
    }
  }
}
