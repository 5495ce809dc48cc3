package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.Arrays;

/** The first key of each block of a run, read from the file entry by entry. */
final class RunIndex {
  private final RunFile run;
  private final RunBlocks blocks;
  private final BlockScratch scratch;
  private final Block block = new Block();
  private long next;

  /** Where the block of the entry begins. */
  long offset;

  /** The key of the entry. */
  byte[] key = new byte[0];

  RunIndex(RunFile run, RunBlocks blocks, BlockScratch scratch) {
    this.run = run;
    this.blocks = blocks;
    this.scratch = scratch;
    this.next = run.indexAt();
  }

  /**
   * Goes to the next entry; false at the end.
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

  /** Where to begin reading for a key: a block that begins before it, so that no piece is left. */
  static long seek(RunFile run, RunBlocks blocks, BlockScratch scratch, byte[] from)
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
