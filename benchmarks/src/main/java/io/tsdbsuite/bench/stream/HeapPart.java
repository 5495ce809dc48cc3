package io.tsdbsuite.bench.stream;

import java.io.IOException;

/** Heap and saved state per series: those of a loaded job without those of an almost empty one. */
final class HeapPart {
  private static final int FEW = 1000;
  private static final int FEW_ROUNDS = 3;

  private final Setting setting;
  private final Way way;
  private long emptyHeap;

  HeapPart(Setting setting, Way way) {
    this.setting = setting;
    this.way = way;
  }

  /** Measures the heap of a job with a thousand series. */
  void empty(String name) throws IOException, InterruptedException {
    try (LoadedJob job =
        LoadedJob.start(setting, way, name, FEW, setting.sizes().period(), FEW_ROUNDS)) {
      job.awaitConsumed();
      emptyHeap = job.heap();
    }
  }

  /**
   * Measures a job that has read everything.
   *
   * @param period time between two points of a series, seconds
   * @param waiting points of a series that wait in the state, in words
   */
  HeapFigure of(LoadedJob job, int series, int period, String waiting)
      throws IOException, InterruptedException {
    String saveCpu = job.awaitSaved();
    double heap = (double) (job.heap() - emptyHeap) / (series - FEW);
    return new HeapFigure(
        period,
        waiting,
        heap,
        (double) job.stateBytes() / series,
        (double) job.changelogBytes() / series,
        saveCpu);
  }

  /**
   * Figures per series.
   *
   * @param period time between two points, seconds
   * @param waiting points that wait in the state, in words
   * @param heap used after a full collection, bytes
   * @param disk on the job's own disk, bytes
   * @param changelog on the broker's disk, bytes
   * @param saveCpu CPU while the state was saved, in words
   */
  record HeapFigure(
      int period, String waiting, double heap, double disk, double changelog, String saveCpu) {}
}
