package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.progress.ProgressTracker;
import io.tsdbsuite.bulk.run.GenerateJob;
import io.tsdbsuite.bulk.run.LoadPreview;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.UsageException;
import io.tsdbsuite.synthetic.text.LineFormat;
import io.tsdbsuite.synthetic.text.LineOrder;
import io.tsdbsuite.synthetic.text.SyntheticText;
import io.tsdbsuite.synthetic.text.TextFile;
import io.tsdbsuite.synthetic.text.TextFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code generate} command. */
@CommandLine.Command(
    name = "generate",
    header = "Generates synthetic points, into OpenTSDB or as text files.",
    description = {
      "",
      "  bulk-loader generate --output history --sensors 100 --every 15s --span 30d --gzip",
      "  bulk-loader generate --tsd-config opentsdb.conf --mode hfile --hfile-dir hdfs:///tmp/load"
          + " \\",
      "    --sensors 128 --every 1s --span 1y",
      ""
    })
final class GenerateCommand extends Command {
  @Mixin ShapeOptions shape = new ShapeOptions();

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

  @Mixin TsdOptions tsd = new TsdOptions();
  @Mixin WriteOptions write = new WriteOptions();
  @Mixin RunOptions run = new RunOptions();
  @Mixin DryRunOption dryRun = new DryRunOption();

  @Override
  ExitCode run(Invocation invocation) {
    SyntheticShape points = shape.read(invocation.problems());
    if ((output == null) == (tsd.file == null)) {
      invocation
          .problems()
          .add(
              "one of --output and --tsd-config is required, found "
                  + (tsd.file == null ? "none" : "both"));
    }
    return output != null ? files(points, output, invocation) : rows(points, invocation);
  }

  private ExitCode files(@Nullable SyntheticShape points, Path directory, Invocation invocation) {
    Problems problems = invocation.problems();
    problems.atLeast("--files", files, 1);
    problems.atLeast("--window", window, 0);
    LineFormat lines = choice("--text-format", LineFormat::of, format, problems);
    LineOrder sorted = choice("--order", LineOrder::of, order, problems);
    if (dryRun.on) {
      return invocation.print(
          LoadPreview.generate(invocation.valid(points))
              .line("files", files, "files in " + directory)
              .end("nothing was written"));
    }
    SyntheticText text =
        new SyntheticText(
            invocation.valid(points),
            invocation.valid(lines),
            invocation.valid(sorted),
            window == 0 ? Long.MAX_VALUE : window);
    long count = 0;
    long bytes = 0;
    List<TextFile> written =
        write(new TextFiles(text, directory, invocation.valid(points).metric(), files, gzip));
    for (TextFile file : written) {
      count += file.lines();
      bytes += file.bytes();
    }
    return invocation.print(
        "%s points in %s file(s) in %s, %s bytes of text%s"
            .formatted(count, written.size(), directory, bytes, System.lineSeparator()));
  }

  /** The choice of this name; null when there is none. */
  private static <T> @Nullable T choice(
      String option, Function<String, T> choices, String name, Problems problems) {
    try {
      return choices.apply(name);
    } catch (UsageException e) {
      problems.add(option + ": " + e.getMessage());
      return null;
    }
  }

  private static List<TextFile> write(TextFiles text) {
    try {
      return text.writeAll();
    } catch (UsageException e) {
      throw JobException.usage(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw JobException.outside(String.valueOf(e.getMessage()), e);
    }
  }

  private ExitCode rows(@Nullable SyntheticShape points, Invocation invocation) {
    TsdSettings target = tsd.read(invocation);
    WriteSettings writing = write.read(target, invocation);
    RunSettings process = run.read(invocation);
    if (write.rows.meta) {
      invocation.problems().add("--meta is for load, found with generate");
    }
    LoadSettings settings =
        new LoadSettings(invocation.valid(target), InputSettings.NONE, writing, process);
    SyntheticShape valid = invocation.valid(points);
    if (dryRun.on) {
      return invocation.print(LoadPreview.generate(settings, valid, invocation.clock()));
    }
    try (ProgressTracker progress = invocation.progress(process)) {
      return ReportOutput.show(
          new GenerateJob(settings, valid, invocation.clock(), progress).run(),
          process,
          invocation);
    }
  }
}
