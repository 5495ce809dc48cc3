package io.tsdbsuite.hbase.read;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;

/**
 * A stream over an HFile below the root of a live HBase, which moves files to its archive after a
 * compaction: if the file is not at one path, the stream reads it at the other.
 */
final class MovedFile extends FSInputStream {

  /** Opens an HFile at a path. */
  @FunctionalInterface
  interface Opener {
    /** A stream at the start of the file. */
    FSDataInputStream open(Path path) throws IOException;
  }

  private final Opener opener;
  private FSDataInputStream in;

  /** The other path; null after the switch to it. */
  private @Nullable Path other;

  private MovedFile(Opener opener, Path path, Path other) throws IOException {
    this.opener = opener;
    FSDataInputStream found;
    Path elsewhere = other;
    try {
      found = opener.open(path);
    } catch (FileNotFoundException e) {
      found = opener.open(other);
      elsewhere = null;
    }
    this.in = found;
    this.other = elsewhere;
  }

  /**
   * Opens a file whose length is known, which saves the request for its status.
   *
   * @param other path to which the file may have been moved; null if it does not move
   * @param length bytes; S3A never asks for bytes behind them
   * @param readPolicy Hadoop's {@code fs.option.openfile.read.policy}
   */
  static FSDataInputStream open(
      FileSystem fs, Path path, @Nullable Path other, long length, String readPolicy)
      throws IOException {
    Opener opener =
        place ->
            FutureIO.awaitFuture(
                fs.openFile(place)
                    .opt("fs.option.openfile.read.policy", readPolicy)
                    .opt("fs.option.openfile.length", Long.toString(length))
                    .build());
    return other == null
        ? opener.open(path)
        : new FSDataInputStream(new MovedFile(opener, path, other));
  }

  /** Switches to the other path, or throws the exception if there is none. */
  private void follow(FileNotFoundException e) throws IOException {
    if (other == null) {
      throw e;
    }
    long position = in.getPos();
    FSDataInputStream moved = opener.open(other);
    moved.seek(position);
    in.close();
    in = moved;
    other = null;
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (FileNotFoundException e) {
      follow(e);
      return in.read();
    }
  }

  @Override
  public int read(byte[] buffer, int off, int len) throws IOException {
    try {
      return in.read(buffer, off, len);
    } catch (FileNotFoundException e) {
      follow(e);
      return in.read(buffer, off, len);
    }
  }

  @Override
  public int read(long position, byte[] buffer, int off, int len) throws IOException {
    try {
      return in.read(position, buffer, off, len);
    } catch (FileNotFoundException e) {
      follow(e);
      return in.read(position, buffer, off, len);
    }
  }

  @Override
  public void readFully(long position, byte[] buffer, int off, int len) throws IOException {
    try {
      in.readFully(position, buffer, off, len);
    } catch (FileNotFoundException e) {
      follow(e);
      in.readFully(position, buffer, off, len);
    }
  }

  @Override
  public void seek(long position) throws IOException {
    try {
      in.seek(position);
    } catch (FileNotFoundException e) {
      follow(e);
      in.seek(position);
    }
  }

  @Override
  public long getPos() throws IOException {
    return in.getPos();
  }

  @Override
  public boolean seekToNewSource(long targetPos) throws IOException {
    return in.seekToNewSource(targetPos);
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
