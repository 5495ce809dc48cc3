package io.tsdbsuite.rollup.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that exclude or refuse a part of the input. */
final class ChoiceOptions {
  @Option(
      names = "--hold-back",
      paramLabel = "DURATION",
      description =
          "Refuse a window that ends less than this before the data snapshot was taken, or before"
              + " now if that is earlier: as late as points may come, 90m, 3h, 2d. 0s: it may end"
              + " with the snapshot. Default: 1h.")
  String holdBack;

  @Option(
      names = "--allow-incomplete",
      description =
          "Accept a window that ends whenever it likes, also after the data snapshot was taken:"
              + " rollups of its last hours can be of a part of their points, and the report"
              + " warns.")
  boolean allowIncomplete;

  @Option(
      names = "--allow-empty",
      description =
          "End with 0 also where nothing was emitted (verify: compared) of a table that has data;"
              + " else that is exit code 1, for most often the window, --metrics or the keys of"
              + " --tsd-config are not those of the table.")
  boolean allowEmpty;

  @Option(
      names = "--metrics",
      paramLabel = "PATTERN",
      split = ",",
      description =
          "Metrics to roll up: names with * and ?; a leading ! excludes, for example"
              + " 'sys.*,!sys.cpu.idle'. Can be repeated. Default: all.")
  List<String> metrics = new ArrayList<>();

  @Option(
      names = "--allow-expired",
      description =
          "Read a window that begins before the first hour that is whole: the data snapshot's time"
              + " less the table's TTL, and a day more. Points that the TTL has taken are missing"
              + " in its rollups. Default: such a window is refused.")
  boolean allowExpired;

  @Option(
      names = "--allow-skip-flush",
      description =
          "Read a snapshot that was taken with SKIP_FLUSH, which lacks what was in the memory of"
              + " region servers. Default: it is refused.")
  boolean allowSkipFlush;
}
