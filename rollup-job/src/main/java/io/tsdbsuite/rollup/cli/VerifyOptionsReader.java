package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.rollup.verify.Aggregate;
import io.tsdbsuite.rollup.verify.SeriesSample;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the options of {@code rollup-job verify} that {@link InputReader} does not check. */
final class VerifyOptionsReader {
  private static final double PERCENT = 100;

  private final VerifyCommand command;
  private final Problems problems;

  /**
   * @param problems receives the problems found
   */
  VerifyOptionsReader(VerifyCommand command, Problems problems) {
    this.command = command;
    this.problems = problems;
  }

  /**
   * Returns the options; null if there are problems.
   *
   * @param files configuration files of the TSD
   */
  @Nullable VerifyOptions read(TsdFiles files) {
    boolean snapshots = !command.againstSnapshot.isEmpty();
    if (snapshots == (command.againstTsd != null)) {
      problems.add(
          "one of --against-snapshot and --against-tsd is required, found: "
              + (snapshots ? "both" : "none"));
    }
    if (new HashSet<>(command.againstSnapshot).size() < command.againstSnapshot.size()) {
      problems.add(
          "--against-snapshot must not have a snapshot twice, found: "
              + String.join(",", command.againstSnapshot));
    }
    if (!snapshots) {
      problems.refuse("--rollup-root", command.rollupRoot, "goes with --against-snapshot only");
    }
    problems.atLeast("--tsd-queries", command.tsdQueries, 1);
    problems.atLeast("--min-series", command.minSeries, 1);
    if (snapshots && files.schema() != null && files.schema().tagRaw()) {
      problems.add(
          "--against-snapshot does not know rollups of a TSD with tsd.rollups.tag_raw = true, whose"
              + " rows have a tag more than those of the raw data: use --against-tsd");
    }
    URI tsd = tsd();
    SeriesSample sample = sample();
    String root = command.rollupRoot == null ? command.input.snapshotRoot : command.rollupRoot;
    RollupConfig rollups = files.rollups();
    if (!problems.isEmpty() || root == null || sample == null || rollups == null) {
      return null;
    }
    return new VerifyOptions(
        root,
        List.copyOf(command.againstSnapshot),
        tsd,
        command.tsdQueries,
        sample,
        Stream.of(Aggregate.values())
            .map(aggregate -> rollups.aggregatorId(aggregate.text()))
            .toList(),
        command.choice.metrics.isEmpty() ? "*" : String.join(",", command.choice.metrics));
  }

  private @Nullable URI tsd() {
    if (command.againstTsd == null) {
      return null;
    }
    try {
      URI uri = URI.create(command.againstTsd);
      if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getQuery() == null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Told below.
    }
    problems.add("--against-tsd must be like http://host:4242, found: " + command.againstTsd);
    return null;
  }

  private @Nullable SeriesSample sample() {
    String text = command.sample.strip();
    try {
      boolean percent = text.endsWith("%");
      double number = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
      double fraction = percent ? number / PERCENT : number;
      if (fraction > 0 && fraction <= 1) {
        return new SeriesSample(fraction, Math.max(1, command.minSeries), command.seed);
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    problems.add(
        "--sample must be a part of the series, more than 0 and at most 1, found: "
            + command.sample);
    return null;
  }
}
