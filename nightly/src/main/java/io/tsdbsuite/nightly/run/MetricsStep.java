package io.tsdbsuite.nightly.run;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.NightlyConfig.MetricsSettings;
import io.tsdbsuite.nightly.storage.FileSystems;
import io.tsdbsuite.planner.report.JobReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hands the reports of a run to report-metrics.py, which knows the names of the metrics. Of several
 * runs of rollup-job the newest counts; of a command of rollup-job the newest with the largest exit
 * code: a right day must not hide a wrong one.
 */
final class MetricsStep {
  private static final String JOB = "rollup-job";

  private final Context context;
  private final MetricsSettings settings;

  /** The largest exit code of each command of rollup-job. */
  private final Map<String, Long> worst = new HashMap<>();

  MetricsStep(Context context) {
    this.context = context;
    this.settings = context.config().metrics();
  }

  /**
   * Writes the metrics, first those of the run itself. Failures are in the result.
   *
   * @param own the report of the run itself, a local file
   */
  void run(Path own) {
    if (settings.command().isEmpty()) {
      return;
    }
    tried(() -> write("rollup-nightly", own));
    Map<String, Path> copies = new LinkedHashMap<>();
    for (String location : context.written()) {
      tried(() -> copy(location, copies));
    }
    copies.forEach((kind, report) -> tried(() -> write(kind, report)));
  }

  private void tried(Runnable step) {
    try {
      step.run();
    } catch (JobException e) {
      context.result().fail(e);
    }
  }

  /** Copies a report that counts, unless its run was killed: it has no figures of a run. */
  private void copy(String location, Map<String, Path> copies) {
    String kind = kind(location);
    Path copy = context.children().log("metrics-" + kind).resolveSibling(kind + ".json");
    try {
      Optional<JobReport> report = context.reports().at(location);
      if (report.filter(found -> found.text("/state").equals("running")).isEmpty()
          && counts(kind, report.map(found -> found.number("/exitCode")).orElse(0L))) {
        Files.createDirectories(copy.getParent());
        context.reports().copy(location, copy);
        copies.put(kind, copy);
      }
    } catch (IOException e) {
      throw FileSystems.failed(location + " cannot be copied to " + copy, e);
    }
  }

  /** Whether a report replaces that of its kind so far; keeps its exit code then. */
  private boolean counts(String kind, long exitCode) {
    if (!kind.equals(JOB) && exitCode < worst.getOrDefault(kind, 0L)) {
      return false;
    }
    worst.put(kind, exitCode);
    return true;
  }

  /** The kind of a report by the name of its file. */
  private static String kind(String location) {
    String name = location.substring(location.lastIndexOf('/') + 1);
    for (String command :
        List.of("load", "verify", "coverage", "prune", TiersStep.PROVE, TiersStep.APPLY)) {
      if (name.startsWith(command)) {
        return JOB + "-" + command;
      }
    }
    return JOB;
  }

  private void write(String kind, Path report) {
    if (!settings.textfileDir().isEmpty()) {
      call(kind, report, "--textfile", settings.textfileDir() + "/tsdbsuite-" + kind + ".prom");
    }
    if (!settings.push().isEmpty()) {
      call(kind, report, "--push", settings.push());
    }
    if (!settings.put().isEmpty()) {
      call(kind, report, "--put", settings.put());
    }
  }

  private void call(String kind, Path report, String option, String target) {
    List<String> command = new ArrayList<>(settings.command());
    command.add(report.toString());
    command.addAll(List.of(option, target));
    command.addAll(settings.options());
    String step = "metrics-" + kind;
    int status = context.children().run(step, command).status();
    if (status != 0) {
      throw JobException.outside(
          "the metrics of %s were not written: status %s, see %s"
              .formatted(report, status, context.children().log(step)));
    }
  }
}
