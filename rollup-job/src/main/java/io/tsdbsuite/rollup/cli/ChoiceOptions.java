package io.tsdbsuite.rollup.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that leave out or refuse a part of the input. */
final class ChoiceOptions {
  @Option(
      names = "--hold-back",
      paramLabel = "DURATION",
      description =
          "Refuse a window that ends less than this before now, because a TSD with split queries"
              + " still reads raw data there: 3h, 2d, or 0s to hold nothing back. It must be"
              + " shorter than the TSD's delaySla by the time between two runs and the time of one"
              + " run, else graphs have holes. Default: the delaySla of --interval in"
              + " rollup_config.json, the longest of several, or 0s.")
  String holdBack;

  @Option(
      names = "--metrics",
      paramLabel = "PATTERN",
      split = ",",
      description =
          "Metrics to roll up: names with * and ?; a leading ! excludes, for example"
              + " 'sys.*,!sys.cpu.idle'. Can be repeated. Default: all.")
  List<String> metrics = new ArrayList<>();
}
