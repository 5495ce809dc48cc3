package io.tsdbsuite.bench.quick;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.PairedRuns;
import java.util.List;

/** A measured ratio: CPU of the first way over that of the suite. A new one needs an entry here. */
enum QuickRatio {
  READ_SINGLE(
      "read rows of 60 single cells, over HBase's snapshot format",
      Path.JOB,
      "rollup.ReadKernel",
      "S1_SINGLE_60 mixed NONE NONE 1000000 3",
      "stock.ns",
      "suite.ns"),
  READ_COMPACTED(
      "read compacted rows of 3600 points, over HBase's snapshot format",
      Path.JOB,
      "rollup.ReadKernel",
      "S2_COMPACTED_3600 mixed NONE NONE 2000000 9",
      "stock.ns",
      "suite.ns"),
  READ_APPENDED(
      "read appended rows of 240 points, Snappy, FAST_DIFF, over HBase's snapshot format",
      Path.JOB,
      "rollup.ReadKernel",
      "S4_APPEND_240 mixed SNAPPY FAST_DIFF 1000000 3",
      "stock.ns",
      "suite.ns"),
  WINDOW(
      "read one day of 30, over HBase's snapshot format with a filter",
      Path.JOB,
      "rollup.WindowKernel",
      "20 50 30 9",
      "stock.cpu",
      "suite.cpu"),
  OPEN(
      "read 300 small HFiles, over HBase's snapshot format",
      Path.JOB,
      "rollup.OpenKernel",
      "30 10"),
  UIDS("look up names of UIDs, over a map of strings", Path.OWN, "quick.UidKernel", ""),
  ENCODE("write rollup messages, over an object mapper", Path.OWN, "quick.EncodeKernel", ""),
  DECODE("read metric messages, over a JSON tree", Path.OWN, "quick.DecodeKernel", ""),
  TEXT("parse lines, over split strings", Path.OWN, "quick.TextKernel", ""),
  /** Few series, which fit into the processor's cache: with more, the ratio varies twofold. */
  TOUCH("track points of known series, over Guava", Path.OWN, "meta.TouchKernel", "10000");

  private static final String PACKAGE = "io.tsdbsuite.bench.";

  private final String text;
  private final Path path;
  private final String kernel;
  private final String arguments;
  private final String first;
  private final String suite;

  QuickRatio(String text, Path path, String kernel, String arguments) {
    this(text, path, kernel, arguments, PairedRuns.FIRST, PairedRuns.SUITE);
  }

  QuickRatio(String text, Path path, String kernel, String arguments, String first, String suite) {
    this.text = text;
    this.path = path;
    this.kernel = kernel;
    this.arguments = arguments;
    this.first = first;
    this.suite = suite;
  }

  /** The class path of a kernel. */
  enum Path {
    /** That of the benchmarks. */
    OWN,
    /** That of rollup-job. */
    JOB
  }

  /** The work and the first way to do it. */
  String text() {
    return text;
  }

  /** Class path of the kernel. */
  Path path() {
    return path;
  }

  /** Name of the kernel's class. */
  String kernel() {
    return PACKAGE + kernel;
  }

  /** The kernel's arguments after its directory. */
  List<String> arguments() {
    return arguments.isEmpty() ? List.of() : List.of(arguments.split(" ", -1));
  }

  /** The ratio of a run. */
  double of(KernelRun run) {
    return run.get(first) / run.get(suite);
  }
}
