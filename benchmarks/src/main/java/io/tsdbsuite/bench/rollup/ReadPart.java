package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Measures reading and aggregating every row of an HFile, per row shape and codec. */
final class ReadPart implements BenchPart {
  private static final int POINTS = 5_000_000;
  private static final int ROUNDS = 5;
  private static final List<Algorithm> COMPRESSIONS =
      List.of(Algorithm.NONE, Algorithm.SNAPPY, Algorithm.ZSTD);
  private static final List<DataBlockEncoding> ENCODINGS =
      List.of(DataBlockEncoding.NONE, DataBlockEncoding.FAST_DIFF);

  private static final double GC_PERCENT = 2;

  /** Limit of bytes per point: one object per point would take at least 16 bytes. */
  private static final double ALLOCATED = 1;

  /** Limits of the ratio of CPU, stock to suite, without compression and encoding. */
  private static final Map<RowShape, Double> LIMITS =
      new EnumMap<>(
          Map.of(
              RowShape.S1_SINGLE_60, 7.0,
              RowShape.S2_COMPACTED_3600, 6.5,
              RowShape.S3_COMPACTED_60, 5.0,
              RowShape.S4_APPEND_60, 4.5,
              RowShape.S4_APPEND_240, 4.5));

  @Override
  public void run(Bench bench) throws IOException, InterruptedException {
    bench
        .report()
        .tables()
        .table(
            "HFile",
            "Bytes a point",
            "CPU ns a point: stock way",
            "suite",
            "Less",
            "Bytes allocated a point: stock way",
            "suite",
            "of it not for blocks",
            "GC, % of the time: stock way",
            "suite");
    double allocated = 0;
    double gc = 0;
    for (RowShape shape : RowShape.values()) {
      for (String values : List.of(ReadKernel.MIXED, ReadKernel.ALIKE)) {
        for (Algorithm compression : COMPRESSIONS) {
          for (DataBlockEncoding encoding : ENCODINGS) {
            boolean plain = compression == Algorithm.NONE && isNone(encoding);
            String name =
                shape
                    + (values.equals(ReadKernel.ALIKE) ? ", " + values : "")
                    + ", "
                    + compression
                    + (isNone(encoding) ? "" : " " + encoding);
            // The cost of codecs does not depend on the types of values.
            if (!bench.wants(name) || (values.equals(ReadKernel.ALIKE) && !plain)) {
              continue;
            }
            KernelRun run =
                bench.fork(
                    ReadKernel.class,
                    shape,
                    values,
                    compression,
                    encoding,
                    bench.scaled(POINTS, shape.points()),
                    ROUNDS);
            report(bench.report(), name, run);
            if (plain) {
              bench
                  .report()
                  .atLeast(
                      "CPU of the stock way over the suite's, " + name,
                      "x",
                      Objects.requireNonNull(LIMITS.get(shape)),
                      run.get("stock.ns") / run.get("suite.ns"));
            }
            allocated = Math.max(allocated, run.get("suite.bytesNotBlocks"));
            gc = Math.max(gc, run.get("suite.gc"));
          }
        }
      }
    }
    bench
        .report()
        .atMost("bytes allocated a point beside the blocks of the file", "", ALLOCATED, allocated);
    bench.report().atMost("garbage collection, share of the time", " %", GC_PERCENT, gc);
  }

  private static boolean isNone(DataBlockEncoding encoding) {
    return encoding == DataBlockEncoding.NONE;
  }

  private static void report(Report report, String name, KernelRun run) {
    Map<String, Object> figure = new LinkedHashMap<>();
    figure.put("hfile", name);
    figure.put("bytesPerPoint", run.get("bytes"));
    figure.put("stockCpuNanosPerPoint", run.get("stock.ns"));
    figure.put("suiteCpuNanosPerPoint", run.get("suite.ns"));
    figure.put("stockAllocatedBytesPerPoint", run.get("stock.bytes"));
    figure.put("suiteAllocatedBytesPerPoint", run.get("suite.bytes"));
    figure.put("suiteAllocatedBytesPerPointNotBlocks", run.get("suite.bytesNotBlocks"));
    figure.put("stockGcPercent", run.get("stock.gc"));
    figure.put("suiteGcPercent", run.get("suite.gc"));
    report.figure("read", figure);
    report
        .tables()
        .row(
            name,
            Report.tenths(run.get("bytes")),
            Report.tenths(run.get("stock.ns")),
            Report.tenths(run.get("suite.ns")),
            Report.times(run.get("stock.ns") / run.get("suite.ns")),
            Report.tenths(run.get("stock.bytes")),
            Report.tenths(run.get("suite.bytes")),
            Report.thousandths(run.get("suite.bytesNotBlocks")),
            Report.tenths(run.get("stock.gc")),
            Report.thousandths(run.get("suite.gc")));
  }
}
