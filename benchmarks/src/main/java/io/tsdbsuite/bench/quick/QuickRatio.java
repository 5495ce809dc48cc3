package io.tsdbsuite.bench.quick;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.PairedRuns;
import java.util.List;
import java.util.Map;

/** A measured ratio: CPU of the first way over that of the suite. A new one needs an entry here. */
enum QuickRatio {
  READ_SINGLE(
      "read rows of 60 single cells, over HBase's snapshot format",
      "rollup.ReadKernel S1_SINGLE_60 NONE NONE 1000000 3"),
  READ_COMPACTED(
      "read compacted rows of 3600 points, over HBase's snapshot format",
      "rollup.ReadKernel S2_COMPACTED_3600 NONE NONE 2000000 9"),
  READ_APPENDED(
      "read appended rows of 240 points, Snappy, FAST_DIFF, over HBase's snapshot format",
      "rollup.ReadKernel S4_APPEND_240 SNAPPY FAST_DIFF 1000000 3"),
  WINDOW(
      "read one day of 30, over HBase's snapshot format with a filter",
      "rollup.WindowKernel 20 50 30 9"),
  OPEN("read 300 small HFiles, over HBase's snapshot format", "rollup.OpenKernel 30 10"),
  BLOCKS_ZSTD("decompress ZSTD blocks, in Java over zstd-jni", "rollup.BlockKernel ZSTD"),
  BLOCKS_SNAPPY("decompress Snappy blocks, in Java over snappy-java", "rollup.BlockKernel SNAPPY"),
  BLOCKS_LZ4("decompress LZ4 blocks, in Java over lz4-java", "rollup.BlockKernel LZ4"),
  UIDS("look up names of UIDs, over a map of strings", "quick.QuickKernel uids"),
  ENCODE("write rollup messages, over an object mapper", "quick.QuickKernel encode"),
  DECODE("read metric messages, over a JSON tree", "quick.QuickKernel decode"),
  TEXT("parse lines, over split strings", "quick.QuickKernel text"),
  /** Few series, which fit into the processor's cache: with more, the ratio varies twofold. */
  TOUCH("track points of known series, over Guava", "meta.MetaKernel touch 10000"),
  BARE_3600(
      "aggregate compacted rows of 3600 points, over a loop over their doubles",
      "quick.BareKernel S2_COMPACTED_3600"),
  BARE_60(
      "aggregate compacted rows of 60 points, over a loop over their doubles",
      "quick.BareKernel S3_COMPACTED_60"),
  BARE_APPENDED(
      "aggregate appended rows of 240 points, over a loop over their doubles",
      "quick.BareKernel S4_APPEND_240"),
  BARE_DECODE("read metric messages, over a loop over their bytes", "quick.BareKernel decode"),
  BARE_ENCODE("write rollup messages, over a loop over their bytes", "quick.BareKernel encode");

  private static final String PACKAGE = "io.tsdbsuite.bench.";

  private final String text;
  private final String kernel;

  QuickRatio(String text, String kernel) {
    this.text = text;
    this.kernel = kernel;
  }

  private List<String> words() {
    return List.of(kernel.split(" ", -1));
  }

  /** The work and the first way to do it. */
  String text() {
    return text;
  }

  /** Whether its class path is that of rollup-job, not that of the benchmarks. */
  boolean ofJob() {
    return kernel.startsWith("rollup.");
  }

  /** Whether its first way is a bare loop, which hardly varies: a slower suite fails the build. */
  boolean isGuarded() {
    return kernel.startsWith("quick.BareKernel");
  }

  /** Name of the kernel's class. */
  String kernel() {
    return PACKAGE + words().get(0);
  }

  /** The kernel's arguments after its directory. */
  List<String> arguments() {
    return words().subList(1, words().size());
  }

  /** The ratio of a run: {@link PairedRuns}, or the figures of a kernel with a stock way. */
  double of(KernelRun run) {
    Map<String, Double> found = run.values();
    if (found.containsKey("stock.ns")) {
      return run.get("stock.ns") / run.get("suite.ns");
    }
    return found.containsKey("stock.cpu")
        ? run.get("stock.cpu") / run.get("suite.cpu")
        : run.get(PairedRuns.FIRST) / run.get(PairedRuns.SUITE);
  }
}
