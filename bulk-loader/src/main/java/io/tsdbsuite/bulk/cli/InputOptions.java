package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.input.FilePatterns;
import io.tsdbsuite.bulk.input.Formats;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.TimePrecision;
import io.tsdbsuite.bulk.parse.TimeRounding;
import io.tsdbsuite.bulk.report.RejectLimits;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.job.cli.Problems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the input. */
final class InputOptions {
  @Option(
      names = "--input",
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "Files to read, one or more: paths, globs, directories, - for standard input, s3a:// and"
              + " hdfs:// URIs with globs. Plain, gzip, zstd or bzip2. The order of files and lines"
              + " matters to --on-conflict only.")
  List<String> inputs = new ArrayList<>();

  @Option(
      names = "--input-base",
      hidden = true,
      paramLabel = "DIR",
      description = "Where relative names of --input begin; a resume may be run elsewhere.")
  Path inputBase = Path.of("");

  @Option(
      names = "--include",
      paramLabel = "GLOB",
      description =
          "Read only files whose name matches, or whose path does if the glob has a /; repeatable."
              + " Default: all.")
  List<String> includes = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "GLOB",
      description =
          "Leave out files whose name matches, or whose path does if the glob has a /; repeatable."
              + " Default: none.")
  List<String> excludes = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "auto",
      description =
          "auto, or one of: opentsdb: 'metric time value tag=v ...', as tsdb import reads; json:"
              + " bodies of /api/put (objects, arrays, lines); influx: line protocol; prometheus,"
              + " openmetrics: text with times; victoriametrics: lines of /api/v1/export; graphite:"
              + " 'path value time'. Default: ${DEFAULT-VALUE}, by suffix and content.")
  String format = "auto";

  @Option(
      names = "--influx-precision",
      paramLabel = "ns|us|ms|s",
      defaultValue = "ns",
      description = "Unit of times in line protocol. Default: ${DEFAULT-VALUE}.")
  TimePrecision influxPrecision = TimePrecision.NS;

  @Option(
      names = "--influx-database",
      paramLabel = "NAME",
      description =
          "Load only the lines of this database of an InfluxDB export ('# CONTEXT-DATABASE:');"
              + " others are skipped and counted. Without it an input of several databases or"
              + " retention policies is refused. Default: any.")
  @Nullable String influxDatabase;

  @Option(
      names = "--influx-retention-policy",
      paramLabel = "NAME",
      description =
          "The same for the retention policy ('# CONTEXT-RETENTION-POLICY:'). Default: any.")
  @Nullable String influxRetentionPolicy;

  @Option(
      names = "--max-rejected",
      paramLabel = "[REASON=]N|N%",
      defaultValue = "0",
      description =
          "Limit of rejected points, a number or a percentage of the points read. Above it the load"
              + " stops before anything is written to the data table. REASON=N limits the points"
              + " rejected for one reason, which then do not count for the limit without a reason;"
              + " repeatable. Default: ${DEFAULT-VALUE}.")
  List<String> maxRejected = new ArrayList<>();

  @Option(
      names = "--skip",
      split = ",",
      paramLabel = "KIND",
      description =
          "Kinds of values to leave out and count, which would be rejected otherwise: strings,"
              + " booleans, nan, infinities, stale. Default: none.")
  List<SkipKind> skip = new ArrayList<>();

  @Option(
      names = "--time-rounding",
      paramLabel = "refuse|ms|s",
      defaultValue = "refuse",
      description =
          "Cut times to milliseconds, or to seconds. refuse rejects times finer than a"
              + " millisecond. Default: ${DEFAULT-VALUE}.")
  TimeRounding timeRounding = TimeRounding.REFUSE;

  /** The input, its names changed by these rules. */
  InputSettings read(NameRules names, Problems problems) {
    if (inputs.isEmpty()) {
      problems.require("--input", null);
    }
    FilePatterns patterns = new FilePatterns(includes, excludes);
    patterns.check(problems::add);
    List<String> formats = new ArrayList<>(List.of(Formats.AUTO));
    for (Format each : Format.values()) {
      formats.add(each.key());
    }
    RunOptions.oneOf("--format", format, formats, problems);
    return new InputSettings(
        List.copyOf(inputs),
        inputBase.toString(),
        patterns,
        format.toLowerCase(Locale.ROOT),
        new ParseOptions(
            influxPrecision, timeRounding, Set.copyOf(skip), !names.replacement().isEmpty()),
        new InfluxChoice(
            name("--influx-database", influxDatabase, problems),
            name("--influx-retention-policy", influxRetentionPolicy, problems)),
        names,
        RejectLimits.of(maxRejected, problems::add));
  }

  /** A name that was given, empty if none was. */
  private static String name(String option, @Nullable String found, Problems problems) {
    if (found != null && found.isBlank()) {
      problems.add(option + " must be a name, found: '" + found + "'");
    }
    return found == null ? "" : found.trim();
  }
}
