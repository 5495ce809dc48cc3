package io.tsdbsuite.planner.run;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.report.JobReport;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides whether to resume a day. The job rejects a resume with other options, which would fail
 * the night; running a day from its beginning is always correct. A day is therefore resumed only if
 * all known options match, and only after a run that was killed or whose storage or Kafka failed.
 * Bad input and wrong options need a change first.
 */
final class ResumeDecision {
  private static final String JOB = "rollup-job";

  private static final Pattern VERSION =
      Pattern.compile("/" + JOB + "-(\\d[^/]*?)(?:-spark)?\\.jar$");

  private final RunSettings settings;
  private final Night night;
  private final SnapshotTimes times;

  ResumeDecision(RunSettings settings, Night night, SnapshotTimes times) {
    this.settings = settings;
    this.night = night;
    this.times = times;
  }

  /** The reason not to resume; empty when the run of the report can be resumed. */
  Optional<String> whyNot(JobReport report, LocalDate day, LateDataSearch search) {
    if (report.isOlder() || report.isNewer()) {
      return Optional.of("it is a report of version " + report.formatVersion());
    }
    if (!report.isOfThisJob()) {
      return Optional.of("it is not a report of this job");
    }
    if (settings.kafka().isEmpty()) {
      return Optional.of("only runs with the sink kafka can be resumed");
    }
    if (!report.diedOrFailedOutside()) {
      return new ReportMatch(settings)
          .difference(report)
          .filter(any -> report.whyNotDone(day).isEmpty())
          .map(other -> other.name() + " differs")
          .or(() -> Optional.of("its run ended with exit code " + report.number("/exitCode")));
    }
    if (report.finishedPartitions() == 0) {
      return Optional.of("no partition was finished");
    }
    if (!report.isOf(times.data(), times.uid())) {
      return Optional.of("it is of other snapshots");
    }
    if (!isVersionOf(report.version())) {
      return Optional.of("it is of " + report.version() + ", the jar is another version");
    }
    for (Map.Entry<String, String> option : options(day).entrySet()) {
      if (!report.option(option.getKey()).equals(option.getValue())) {
        return Optional.of(option.getKey() + " differs");
      }
    }
    Optional<OptionDifference> rows = new ReportMatch(settings).rowKeyDifference(report);
    if (rows.isPresent()) {
      return Optional.of(rows.get().name() + " differs");
    }
    ReportedOptions others = new ReportedOptions(settings.options());
    for (String name : ReportedOptions.OF_RESUME) {
      if (!others.isSame(report, name)) {
        return Optional.of(name + " differs");
      }
    }
    if (!report.option("--changed-since").equals(since(search))) {
      return Optional.of("--changed-since differs");
    }
    return report.option("--refresh-since").equals(search.refreshed().map(this::less).orElse(""))
        ? Optional.empty()
        : Optional.of("--refresh-since differs");
  }

  /** The value in the job's report. */
  private String since(LateDataSearch search) {
    if (search.since().isEmpty()) {
      return settings.options().option("--changed-since").orElse("");
    }
    return less(search.since().get());
  }

  /** A time less the margin of the job. */
  private String less(Instant taken) {
    return taken.minus(new ReportedOptions(settings.options()).changedMargin()).toString();
  }

  /** The options that the planner sets, and suite if it is known, in the form of the report. */
  private Map<String, String> options(LocalDate day) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("--snapshot-root", settings.snapshotRoot());
    options.put("--data-snapshot", night.dataSnapshot());
    options.put("--from", day.atStartOfDay(ZoneOffset.UTC).toInstant().toString());
    options.put("--to", day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().toString());
    settings
        .kafka()
        .ifPresent(
            kafka -> {
              options.put("--kafka-bootstrap", ReportedOptions.sorted(kafka.bootstrap()));
              options.put("--topic", kafka.topic());
            });
    settings
        .suite()
        .ifPresent(
            suite -> {
              options.put("suite", suite.text());
              options.put(
                  StorageSchema.HISTOGRAMS_CONFIG,
                  settings.anyInterval(suite::histogram) ? settings.codecs().ids().toString() : "");
            });
    return options;
  }

  /** Whether the job is of this version, or of one that is not known. */
  private boolean isVersionOf(String version) {
    Matcher named = VERSION.matcher(settings.jar());
    Optional<String> ours = named.find() ? Optional.of(named.group(1)) : settings.version();
    return ours.isEmpty() || version.equals(JOB + " " + ours.get());
  }
}
