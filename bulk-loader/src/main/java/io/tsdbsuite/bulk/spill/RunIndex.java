package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads the index of a run, entry by entry. An entry has the file offset and the first row key of a
 * block.
 */
final class RunIndex {
  private final RunFile run;
  private final RunBlocks blocks;
  private final RunBlocks.Scratch scratch;
  private final RunBlocks.Block block = new RunBlocks.Block();
  private long next;

  /** File offset of the entry's block, bytes. */
  long offset;

  /** First row key of the entry's block. */
  byte[] key = new byte[0];

  RunIndex(RunFile run, RunBlocks blocks, RunBlocks.Scratch scratch) {
    this.run = run;
    this.blocks = blocks;
    this.scratch = scratch;
    this.next = run.indexAt();
  }

  /**
   * Reads the next entry; returns false when there are no more entries.
   *
   * @throws JobException when the index is damaged
   */
  boolean next() throws IOException {
    if (block.bytes.done()) {
      if (next >= run.footerAt()) {
        return false;
      }
      blocks.read(next, scratch, block);
      next = block.next;
    }
    offset += block.bytes.number();
    key = block.bytes.sized();
    return true;
  }

  /**
   * Returns the file offset of the last block whose first key is less than {@code from}, or of the
   * first block. All pieces with keys from {@code from} on are in this block or in later blocks.
   *
   * @param from row key; empty for the beginning of the run
   */
  static long seek(RunFile run, RunBlocks blocks, RunBlocks.Scratch scratch, byte[] from)
      throws IOException {
    long start = RunFormat.MAGIC_LENGTH;
    if (from.length == 0) {
      return start;
    }
    RunIndex index = new RunIndex(run, blocks, scratch);
    while (index.next() && Arrays.compareUnsigned(index.key, from) < 0) {
      start = index.offset;
    }
    return start;
  }
}
