package io.tsdbsuite.bulk.spill;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/** Goes through the hours of a run, piece by piece, in a range of keys. */
final class RunCursor implements Closeable, Comparable<RunCursor> {
  /** Memory of a cursor and of the merge of its piece with others, bytes. */
  static final long MEMORY = 384 << 10;

  private final RunFile run;
  private final RunBlocks blocks;
  private final RunBlocks.Scratch scratch;
  private final RunBlocks.Block block = new RunBlocks.Block();
  private final byte[] to;
  private long next;

  /** Position of the run in the order of all runs. */
  final int rank;

  byte[] key = new byte[64];
  int keyLength;

  /** Whether the next piece has later points of the same key. */
  boolean more;

  /** Offset of the last point, milliseconds; only if there is more. */
  int last;

  /** Where points begin that were not taken yet. */
  int off;

  /** Where the points of the piece end. */
  int end;

  /** Number not taken yet. */
  int left;

  RunCursor(RunFile run, int rank, byte[] to, RunBlocks.Scratch scratch) throws IOException {
    this.run = run;
    this.rank = rank;
    this.to = to;
    this.scratch = scratch;
    this.blocks = new RunBlocks(run.path());
  }

  /** Goes to the first piece from a key on; false if there is none. */
  boolean seek(byte[] from) throws IOException {
    next = RunIndex.seek(run, blocks, scratch, from);
    while (advance()) {
      if (Arrays.compareUnsigned(key, 0, keyLength, from, 0, from.length) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Goes to the next piece; false at the end. */
  boolean advance() throws IOException {
    Bytes in = block.bytes;
    if (in.done()) {
      if (next >= run.seriesAt()) {
        return false;
      }
      blocks.read(next, scratch, block);
      next = block.next;
    }
    int shared = in.small();
    int rest = in.small();
    keyLength = shared + rest;
    if (key.length < keyLength) {
      key = Arrays.copyOf(key, keyLength * 2);
    }
    System.arraycopy(in.array, in.at, key, shared, rest);
    in.at += rest;
    long pointsAndMore = in.number();
    left = (int) (pointsAndMore >>> 1);
    more = (pointsAndMore & 1) != 0;
    if (more) {
      last = in.small();
    }
    int length = in.small();
    off = in.at;
    end = off + length;
    in.at = end;
    return to.length == 0 || Arrays.compareUnsigned(key, 0, keyLength, to, 0, to.length) < 0;
  }

  /** The array that the points are in. */
  byte[] packed() {
    return block.bytes.array;
  }

  /** Orders by key, then by run. */
  @Override
  public int compareTo(RunCursor other) {
    int order = compareKeys(other);
    return order != 0 ? order : Integer.compare(rank, other.rank);
  }

  /** Compares the keys. */
  int compareKeys(RunCursor other) {
    return Arrays.compareUnsigned(key, 0, keyLength, other.key, 0, other.keyLength);
  }

  @Override
  public void close() throws IOException {
    blocks.close();
  }
}
