package io.tsdbsuite.bench.measure;

import java.util.List;

/** A benchmark: its question, what the suite is compared with, and the parts that answer it. */
public interface Suite {
  /** What the figures answer, for {@code --help}. */
  String question();

  /** What the suite's way is compared with, for {@code --help}. */
  String peer();

  /**
   * The command in the marks of docs/benchmarks.md between which the tables are; empty for a suite
   * that only prints.
   *
   * @param name of this suite on the command line
   */
  default String command(String name) {
    return "make bench-" + name;
  }

  /** The parts in their order; a trial may name some of them. */
  List<String> parts();

  /** Names of the numbers with which the arguments of a trial begin; the first is a share. */
  default List<String> numbers() {
    return List.of("SCALE");
  }

  /** Whether a trial may name this part. */
  default boolean isPart(String part) {
    return parts().contains(part);
  }

  /** Measures the parts of a trial, and adds their tables to the report. */
  void run(Trial trial, Report report) throws Exception;
}
