package io.tsdbsuite.report.cli;

import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.report.run.ReportPlan;
import io.tsdbsuite.report.select.Window;
import io.tsdbsuite.report.write.Format;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of selection, order and output. */
final class ReportOptions {
  private static final String SORT_ROW = "row-key";
  private static final String SORT_LAST = "last-received";

  @Option(
      names = "--metric",
      paramLabel = "NAME|GLOB",
      description =
          "Only this metric, or metrics that match (* any characters, ? one character). A name"
              + " without wildcards scans only the rows of that metric.")
  private @Nullable String metric;

  @Option(
      names = "--tag",
      paramLabel = "KEY=VALUE",
      description =
          "Only series with this tag; the value may be a glob. Repeatable: all tags must match.")
  private List<String> tags = new ArrayList<>();

  @Option(
      names = "--include-untracked",
      description =
          "Include series without a ts_ctr: tracking was off when they were written. They have no"
              + " last received time.")
  private boolean includeUntracked;

  @Option(
      names = "--group-by",
      paramLabel = "metric|TAGK",
      description =
          "One line per metric, or per value of this tag key, most series first: matching series,"
              + " all series, oldest and newest last received time of the matching series.")
  private @Nullable String groupBy;

  @Option(
      names = "--sort",
      paramLabel = "ORDER",
      description =
          "row-key, or last-received: oldest first, needs --limit (default: ${DEFAULT-VALUE}).")
  private String sort = SORT_ROW;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Maximum of series or groups; the report has the number of omitted ones.")
  private @Nullable String limit;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table, csv or json (default: ${DEFAULT-VALUE}).")
  private String format = "table";

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "File for the report; appears when it is complete (default: stdout).")
  private @Nullable String output;

  @Option(
      names = DryRun.OPTION,
      description =
          "Only check: options, HBase or the snapshots, and the names of --metric, --tag and"
              + " --group-by. Reads no series, writes nothing.")
  boolean dryRun;

  /** Reads the options. */
  ReportPlan read(String name, long now, LongFunction<Window> window, Problems problems) {
    SortedMap<String, String> wanted = tags(problems);
    int most = limit == null ? ReportPlan.NO_LIMIT : Durations.count("--limit", limit, problems);
    if (groupBy != null && groupBy.isEmpty()) {
      problems.add("--group-by must be metric or a tag key, found nothing");
    }
    boolean oldestFirst = sort.equals(SORT_LAST);
    if (oldestFirst && groupBy != null) {
      problems.add("--sort last-received does not go with --group-by, found: " + groupBy);
    } else if (oldestFirst && limit == null) {
      problems.add("--sort last-received needs --limit: that many series are held in memory");
    } else if (!oldestFirst && !sort.equals(SORT_ROW)) {
      problems.add("--sort must be row-key or last-received, found: " + sort);
    }
    Format written = Format.TABLE;
    try {
      written = Format.valueOf(format.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      problems.add("--format must be table, csv or json, found: " + format);
    }
    if (output != null) {
      Path file = Paths.get(output).toAbsolutePath();
      Path directory = file.getParent();
      if (directory == null || !Files.isDirectory(directory)) {
        problems.add("--output must be in a directory that is there, found: " + output);
      } else if (Files.exists(file) && !Files.isRegularFile(file)) {
        problems.add("--output must be a file, found: " + output);
      }
    }
    return new ReportPlan(
        name, now, window, metric, wanted, includeUntracked, groupBy, oldestFirst, most, written);
  }

  private SortedMap<String, String> tags(Problems problems) {
    SortedMap<String, String> read = new TreeMap<>();
    for (String tag : tags) {
      int equals = tag.indexOf('=');
      if (equals < 1 || equals == tag.length() - 1) {
        problems.add("--tag must be KEY=VALUE, found: " + tag);
      } else if (read.put(tag.substring(0, equals), tag.substring(equals + 1)) != null) {
        problems.add("--tag must name a key once, found twice: " + tag.substring(0, equals));
      }
    }
    return read;
  }

  /** The file to write, null for standard output. */
  @Nullable Path output() {
    return output == null ? null : Paths.get(output);
  }
}
