package io.tsdbsuite.bulk.spill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Keys that divide runs into ranges of about equal size, from their indexes. */
final class KeySample {
  private static final long MOST = 50_000;

  /** A key, and the bytes of the run from it to its next sampled key. */
  private record Weighed(byte[] key, long bytes) {}

  private final List<Weighed> sample = new ArrayList<>();

  KeySample(List<RunFile> runs) throws IOException {
    long blocks = 0;
    for (RunFile run : runs) {
      blocks += run.seriesAt() / RunFormat.BLOCK_LENGTH + 1;
    }
    long step = blocks / MOST + 1;
    RunBlocks.Scratch scratch = new RunBlocks.Scratch();
    for (RunFile run : runs) {
      add(run, step, scratch);
    }
    sample.sort((a, b) -> Arrays.compareUnsigned(a.key, b.key));
  }

  private void add(RunFile run, long step, RunBlocks.Scratch scratch) throws IOException {
    try (RunBlocks blocks = new RunBlocks(run.path())) {
      RunIndex index = new RunIndex(run, blocks, scratch);
      byte[] key = null;
      long start = 0;
      for (long i = 0; index.next(); i++) {
        if (i % step == 0) {
          if (key != null) {
            sample.add(new Weighed(key, index.offset - start));
          }
          key = index.key;
          start = index.offset;
        }
      }
      if (key != null) {
        sample.add(new Weighed(key, run.seriesAt() - start));
      }
    }
  }

  /** Ascending, each once, none at the beginning. */
  List<byte[]> cuts(int ranges) {
    long total = 0;
    for (Weighed weighed : sample) {
      total += weighed.bytes;
    }
    List<byte[]> cuts = new ArrayList<>();
    long before = 0;
    byte[] last = sample.isEmpty() ? new byte[0] : sample.get(0).key;
    for (Weighed weighed : sample) {
      boolean due = before * ranges >= total * (cuts.size() + 1L);
      if (due && cuts.size() < ranges - 1 && !Arrays.equals(last, weighed.key)) {
        cuts.add(weighed.key);
        last = weighed.key;
      }
      before += weighed.bytes;
    }
    return cuts;
  }
}
