package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.parse.TimePrecision;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What is read. */
final class InputOptions {
  @Option(
      names = "--input",
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "Files to read, one or more: paths, globs, directories, - for standard input, s3a:// and"
              + " hdfs:// URIs with globs. Plain, gzip, zstd or bzip2. Their order, and that of the"
              + " lines in them, matters to --on-conflict only.")
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
          "Of an export of InfluxDB ('# CONTEXT-DATABASE:'), load the lines of this database only;"
              + " the others are skipped and counted. An input of several databases or retention"
              + " policies is refused without. Default: any.")
  String influxDatabase;

  @Option(
      names = "--influx-retention-policy",
      paramLabel = "NAME",
      description = "The same by '# CONTEXT-RETENTION-POLICY:'. Default: any.")
  String influxRetentionPolicy;

  @Option(
      names = "--max-rejected",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Points that may be rejected; one more, and the load stops before anything is written to"
              + " the data table. Default: ${DEFAULT-VALUE}.")
  long maxRejected;
}
