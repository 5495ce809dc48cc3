package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.input.FilePatterns;
import io.tsdbsuite.bulk.input.Formats;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.report.RejectLimits;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.bulk.settings.SparkSettings;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts options to settings, and checks each of them and their combinations. */
final class SettingsReader {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final long MEBIBYTE = 1L << 20;
  private static final long LEAST_MEMORY = 512 * MEBIBYTE;
  private static final long LEAST_UNIT = 64 << 10;
  private static final List<String> PROGRESS = List.of("auto", "bar", "plain", "none");

  private final Invocation invocation;
  private final Problems problems;

  SettingsReader(Invocation invocation, Problems problems) {
    this.invocation = invocation;
    this.problems = problems;
  }

  /** The target; null when there are problems. */
  @Nullable TsdSettings tsd(TsdOptions options) {
    Path file = options.file;
    TsdConfig config = TsdKeys.config(file, invocation.tsdKeys(), problems);
    StorageSchema schema = TsdKeys.schema(config, problems);
    return file == null || config == null || schema == null
        ? null
        : new TsdSettings(
            file.toAbsolutePath(),
            config,
            schema,
            Collections.unmodifiableMap(options.hbaseProperties));
  }

  /**
   * A value that is null only if there are problems.
   *
   * @throws io.tsdbsuite.job.JobException usage, with all problems
   */
  <T> T valid(@Nullable T value) {
    problems.throwIfAny();
    return Objects.requireNonNull(value);
  }

  InputSettings input(InputOptions options, NameRules names) {
    if (options.inputs.isEmpty()) {
      problems.require("--input", null);
    }
    FilePatterns patterns = new FilePatterns(options.includes, options.excludes);
    patterns.check(problems::add);
    oneOf("--format", options.format, formats());
    return new InputSettings(
        List.copyOf(options.inputs),
        options.inputBase.toString(),
        patterns,
        options.format.toLowerCase(Locale.ROOT),
        ParseOptions.DEFAULT
            .withPrecision(options.influxPrecision)
            .with(options.timeRounding)
            .withSkip(Set.copyOf(options.skip))
            .withAnyName(!names.replacement().isEmpty()),
        new InfluxChoice(
            name("--influx-database", options.influxDatabase),
            name("--influx-retention-policy", options.influxRetentionPolicy)),
        names,
        RejectLimits.of(options.maxRejected, problems::add));
  }

  /** How names of the source become names of OpenTSDB. */
  NameRules names(NameOptions options, @Nullable TsdSettings tsd) {
    String special = tsd == null ? null : tsd.config().get("tsd.core.tag.allow_specialchars");
    return new NameRulesReader(special == null ? "" : special, problems).read(options);
  }

  private static List<String> formats() {
    return Stream.concat(Stream.of(Formats.AUTO), Arrays.stream(Format.values()).map(Format::key))
        .toList();
  }

  /** A name that was given, empty if none was. */
  private String name(String option, @Nullable String found) {
    if (found != null && found.isBlank()) {
      problems.add(option + " must be a name, found: '" + found + "'");
    }
    return found == null ? "" : found.trim();
  }

  WriteSettings write(WriteOptions options, @Nullable TsdSettings tsd) {
    problems.atLeast("--max-rows-per-second", options.maxRowsPerSecond, 0);
    if (options.mode == Mode.HFILE) {
      problems.require("--hfile-dir (with --mode hfile)", options.hfileDir);
      if (options.maxRowsPerSecond > 0) {
        problems.add("--max-rows-per-second is for --mode put, found: " + options.maxRowsPerSecond);
      }
    } else if (options.hfileDir != null) {
      problems.add("--hfile-dir is for --mode hfile, found: " + options.hfileDir);
    }
    return write(
        options.rows, tsd, options.mode, options.wal, options.maxRowsPerSecond, options.hfileDir);
  }

  private WriteSettings write(
      RowOptions rows,
      @Nullable TsdSettings tsd,
      Mode mode,
      WalMode wal,
      long maxRowsPerSecond,
      @Nullable String hfileDir) {
    boolean dateTiered = tsd != null && tsd.schema().useOtsdbTimestamp();
    String stamp = rows.cellTimestamp;
    if (stamp == null) {
      stamp = dateTiered ? "data" : "now";
    } else if (!stamp.equals("now") && !stamp.equals("data") && !isMillis(stamp)) {
      problems.add(
          "--cell-timestamp must be now, data or milliseconds since the epoch, found: " + stamp);
    } else if (isMillis(stamp) && Long.parseLong(stamp) > invocation.clock().millis()) {
      problems.add(
          "--cell-timestamp must not lie in the future (it would hide later writes of TSDs), found:"
              + " "
              + stamp);
    }
    OnConflict unlessGiven = tsd == null ? OnConflict.FAIL : asTsdReads(tsd.schema());
    return new WriteSettings(
        mode,
        wal,
        maxRowsPerSecond,
        hfileDir == null ? "" : hfileDir,
        stamp,
        rows.onConflict == null ? unlessGiven : rows.onConflict,
        rows.allowActiveHours,
        rows.allowUnreplicated,
        !rows.noCreate,
        rows.meta,
        coverageTable(rows.coverageTable));
  }

  private String coverageTable(@Nullable String table) {
    if (table != null && !CoverageRows.isTableName(table)) {
      problems.add("--coverage-table must be the name of a table, found: " + table);
    }
    return table == null ? "" : table;
  }

  /**
   * The settings of a load on Spark.
   *
   * @throws io.tsdbsuite.job.JobException usage, with all problems
   */
  SparkSettings spark(
      TsdOptions tsdOptions, InputOptions inputOptions, RowOptions rows, SparkOptions options) {
    TsdSettings tsd = tsd(tsdOptions);
    InputSettings input = input(inputOptions, NameRules.NONE);
    if (input.inputs().contains("-")) {
      problems.add("--input must be files, which each executor can open, found: -");
    }
    problems.require("--hfile-dir", options.hfileDir);
    WriteSettings write = write(rows, tsd, Mode.HFILE, WalMode.SKIP, 0, options.hfileDir);
    long unitBytes = options.unitSize == null ? SparkSettings.BY_CLUSTER : options.unitSize.bytes();
    if (options.unitSize != null && unitBytes < LEAST_UNIT) {
      problems.add("--unit-size must be 64k or more, found: " + unitBytes + " bytes");
    }
    if (options.report != null) {
      ReportOutput.check("--report", options.report, problems);
    }
    return new SparkSettings(valid(tsd), input, write, unitBytes, options.rejectDir);
  }

  /** A work directory below an input directory would be input from the next start on. */
  void requireApart(InputSettings input, RunSettings run) {
    Path work = run.workDir().normalize();
    for (String name : input.inputs()) {
      if (contains(name, work)) {
        problems.add(
            "--work-dir must not be below a directory of --input, found: " + work + " in " + name);
      }
    }
  }

  private static boolean contains(String input, Path work) {
    try {
      Path path = Path.of(input).toAbsolutePath().normalize();
      return !input.equals("-") && Files.isDirectory(path) && work.startsWith(path);
    } catch (InvalidPathException e) {
      // No path of this machine, so nothing is below it.
      return false;
    }
  }

  private static OnConflict asTsdReads(StorageSchema schema) {
    if (schema.useOtsdbTimestamp()) {
      return schema.useMaxValue() ? OnConflict.MAX : OnConflict.FAIL;
    }
    return schema.fixDuplicates() ? OnConflict.LAST : OnConflict.FAIL;
  }

  RunSettings run(RunOptions options) {
    oneOf("--progress", options.progress, PROGRESS);
    int threads =
        options.threads == null ? Runtime.getRuntime().availableProcessors() : options.threads;
    problems.atLeast("--threads", threads, 1);
    long heap = Runtime.getRuntime().maxMemory();
    if (options.memory != null) {
      if (options.memory.bytes() < LEAST_MEMORY) {
        problems.add("--memory must be 512m or more, found: " + options.memory.bytes() + " bytes");
      } else if (options.memory.bytes() < heap) {
        problems.add(
            "--memory must not be less than the JVM's heap of "
                + heap
                + " bytes (-Xmx; bin/bulk-loader sets it), found: "
                + options.memory.bytes());
      }
    }
    if (options.report != null) {
      ReportOutput.check("--report", options.report.toString(), problems);
    }
    Path workDir =
        options.workDir == null
            ? Path.of("bulk-load-" + NAME.format(invocation.clock().instant()))
            : options.workDir;
    return new RunSettings(
        workDir.toAbsolutePath(),
        threads,
        heap / 2,
        options.progress.toLowerCase(Locale.ROOT),
        options.report == null ? null : options.report.toAbsolutePath(),
        options.keepWork);
  }

  private void oneOf(String option, String found, List<String> choices) {
    if (!choices.contains(found.toLowerCase(Locale.ROOT))) {
      problems.add(option + " must be one of " + String.join(", ", choices) + ", found: " + found);
    }
  }

  private static boolean isMillis(String text) {
    return text.length() <= 15
        && !text.isEmpty()
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
