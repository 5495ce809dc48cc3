package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.progress.ProgressMode;
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
import io.tsdbsuite.job.cli.ProgramVersion;
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

/** The {@code generate} command. */
@CommandLine.Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Generates synthetic points, into OpenTSDB or as text files.",
    description = {
      "",
      "  bulk-loader generate --output history --sensors 100 --every 15s --span 30d --gzip",
      "  bulk-loader generate --tsd-config opentsdb.conf --mode hfile --hfile-dir hdfs:///tmp/load"
          + " \\",
      "    --sensors 128 --every 1s --span 1y",
      ""
    })
final class GenerateCommand implements Command {
  @Mixin ShapeOptions shape = new ShapeOptions();
  @Mixin TextOptions text = new TextOptions();
  @Mixin TsdOptions tsd = new TsdOptions();
  @Mixin WriteOptions write = new WriteOptions();
  @Mixin RunOptions run = new RunOptions();
  @Mixin DryRunOption dryRun = new DryRunOption();

  @Override
  public ExitCode run(Invocation invocation, Problems problems) {
    SyntheticShape points = shape.read(problems);
    if ((text.output == null) == (tsd.file == null)) {
      problems.add(
          "one of --output and --tsd-config is required, found "
              + (tsd.file == null ? "none" : "both"));
    }
    return text.output != null
        ? files(points, text.output, invocation, problems)
        : rows(points, invocation, problems);
  }

  private ExitCode files(
      @Nullable SyntheticShape points, Path output, Invocation invocation, Problems problems) {
    problems.atLeast("--files", text.files, 1);
    problems.atLeast("--window", text.window, 0);
    LineFormat format = choice("--text-format", LineFormat::of, text.format, problems);
    LineOrder order = choice("--order", LineOrder::of, text.order, problems);
    SettingsReader reader = new SettingsReader(invocation, problems);
    if (dryRun.on) {
      return preview(
          LoadPreview.generate(reader.valid(points))
              .line("files", text.files, "files in " + output)
              .end("nothing was written"),
          invocation);
    }
    List<TextFile> written =
        write(reader.valid(points), reader.valid(format), reader.valid(order), output);
    long lines = 0;
    long bytes = 0;
    for (TextFile file : written) {
      lines += file.lines();
      bytes += file.bytes();
    }
    invocation
        .out()
        .println(
            lines
                + " points in "
                + written.size()
                + " file(s) in "
                + output
                + ", "
                + bytes
                + " bytes of text");
    invocation.out().flush();
    return ExitCode.DONE;
  }

  private static ExitCode preview(String text, Invocation invocation) {
    invocation.out().print(text);
    invocation.out().flush();
    return ExitCode.DONE;
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

  private List<TextFile> write(
      SyntheticShape points, LineFormat format, LineOrder order, Path output) {
    long window = text.window == 0 ? Long.MAX_VALUE : text.window;
    try {
      return new TextFiles(
              new SyntheticText(points, format, order, window),
              output,
              points.metric(),
              text.files,
              text.gzip)
          .writeAll();
    } catch (UsageException e) {
      throw JobException.usage(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw JobException.outside(String.valueOf(e.getMessage()), e);
    }
  }

  private ExitCode rows(@Nullable SyntheticShape points, Invocation invocation, Problems problems) {
    SettingsReader reader = new SettingsReader(invocation, problems);
    TsdSettings tsdSettings = reader.tsd(tsd);
    WriteSettings writeSettings = reader.write(write, tsdSettings);
    RunSettings runSettings = reader.run(run);
    if (write.rows.meta) {
      problems.add("--meta is for load, found with generate");
    }
    LoadSettings settings =
        new LoadSettings(reader.valid(tsdSettings), InputSettings.NONE, writeSettings, runSettings);
    if (dryRun.on) {
      return preview(
          LoadPreview.generate(settings, reader.valid(points), invocation.clock()), invocation);
    }
    try (ProgressTracker progress =
        ProgressTracker.of(ProgressMode.of(runSettings.progress()), System.err, invocation.clock())
            .ticking()) {
      return ReportOutput.show(
          new GenerateJob(settings, reader.valid(points), invocation.clock(), progress).run(),
          runSettings,
          invocation);
    }
  }
}
