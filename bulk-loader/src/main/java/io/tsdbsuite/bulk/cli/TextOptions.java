package io.tsdbsuite.bulk.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code generate} for text files. */
final class TextOptions {
  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Write text files to this directory, instead of loading into the OpenTSDB of"
              + " --tsd-config. Created if absent.")
  @Nullable Path output;

  @Option(
      names = "--text-format",
      paramLabel = "FORMAT",
      defaultValue = "opentsdb",
      description = "opentsdb, json, influx or prometheus. Default: ${DEFAULT-VALUE}.")
  String format = "opentsdb";

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "time",
      description =
          "series: one series after the other. time: by time, all series in turn. shuffled: by"
              + " time, then shuffled within --window. Default: ${DEFAULT-VALUE}.")
  String order = "time";

  @Option(
      names = "--window",
      paramLabel = "LINES",
      defaultValue = "1000000",
      description = "Window of --order shuffled, lines; 0 for all. Default: ${DEFAULT-VALUE}.")
  long window = 1_000_000;

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of files. Default: ${DEFAULT-VALUE}.")
  int files = 1;

  @Option(names = "--gzip", description = "Compress the files.")
  boolean gzip;
}
