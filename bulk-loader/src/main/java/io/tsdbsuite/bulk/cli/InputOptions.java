package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.parse.TimePrecision;
import java.util.ArrayList;
import java.util.List;
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
      names = "--format",
      paramLabel = "auto|opentsdb|json|influx|prometheus|openmetrics",
      defaultValue = "auto",
      description =
          "opentsdb: 'metric time value tag=v ...', as tsdb import reads; json: bodies of /api/put"
              + " (objects, arrays, lines); influx: line protocol; prometheus, openmetrics: text"
              + " with times. Default: ${DEFAULT-VALUE}, by suffix and content.")
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
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Limit of rejected points. Above it the load stops before anything is written to the"
              + " data table. Default: ${DEFAULT-VALUE}.")
  long maxRejected;
}
