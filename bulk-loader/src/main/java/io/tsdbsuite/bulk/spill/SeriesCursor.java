package io.tsdbsuite.bulk.spill;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Goes through the series of a run. */
final class SeriesCursor implements Closeable {
  private final RunFile run;
  private final RunBlocks blocks;
  private final BlockScratch scratch;
  private final Block block = new Block();
  private long next;

  /** The series it is at; empty before the first. */
  SeriesTotal total = new SeriesTotal(new byte[0], "", 0, 0, 0);

  SeriesCursor(RunFile run, BlockScratch scratch) throws IOException {
    this.run = run;
    this.scratch = scratch;
    this.blocks = new RunBlocks(run.path());
    this.next = run.seriesAt();
  }

  /** Goes to the next series; false at the end. */
  boolean advance() throws IOException {
    Bytes in = block.bytes;
    if (in.done()) {
      if (next >= run.indexAt()) {
        return false;
      }
      blocks.read(next, scratch, block);
      next = block.next;
    }
    byte[] tsuid = in.sized();
    String names = new String(in.sized(), StandardCharsets.UTF_8);
    long accepted = in.number();
    long points = in.number();
    long newestMillis = in.number();
    total = new SeriesTotal(tsuid, names, accepted, points, newestMillis);
    return true;
  }

  @Override
  public void close() throws IOException {
    blocks.close();
  }
}
