package io.tsdbsuite.planner.verify;

import io.tsdbsuite.planner.run.CommandOptions;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of {@code rollup-job verify} after runs with some options. What a run accepts, its
 * verification must accept too.
 *
 * @param run options of the runs
 * @param sample share of the series, as the command's option
 * @param metrics patterns of metrics; empty for those of the runs
 */
public record VerifyArguments(CommandOptions run, String sample, String metrics) {
  /**
   * The arguments without what the raw data are compared with, and without a report.
   *
   * @param root root of the raw snapshots, as the command's option
   */
  public List<String> list(String root, String dataSnapshot, String uidSnapshot, LocalDate day) {
    List<String> arguments = new ArrayList<>(List.of("verify", "--snapshot-root", root));
    arguments.addAll(List.of("--data-snapshot", dataSnapshot));
    arguments.addAll(List.of("--uid-snapshot", uidSnapshot));
    arguments.addAll(List.of("--day", day.toString()));
    arguments.addAll(run.tsd());
    for (String option :
        List.of("--interval", "--hold-back", "--max-failed-rows", "--max-failed-blocks")) {
      copy(option, arguments);
    }
    List<String> flags =
        new ArrayList<>(
            List.of("--any-bucket", "--allow-incomplete", "--allow-expired", "--allow-skip-flush"));
    if (metrics.isEmpty()) {
      // Of other metrics than the run's, nothing to compare is a wrong name.
      flags.add("--allow-empty");
    }
    for (String flag : flags) {
      run.words().stream()
          .filter(word -> word.equals(flag) || word.startsWith(flag + "="))
          .forEach(arguments::add);
    }
    if (metrics.isEmpty()) {
      copy("--metrics", arguments);
    } else {
      arguments.addAll(List.of("--metrics", metrics));
    }
    arguments.addAll(List.of("--sample", sample));
    return List.copyOf(arguments);
  }

  private void copy(String option, List<String> arguments) {
    run.values(option).forEach(value -> arguments.addAll(List.of(option, value)));
  }
}
