package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.plan.Planner;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.bulk.run.Requirements;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code plan} command. */
@CommandLine.Command(
    name = "plan",
    header = "Reads a sample of the input and estimates a load. Writes nothing.",
    description = {
      "",
      "  bulk-loader plan --tsd-config opentsdb.conf --input history/*.gz",
      "",
      "Takes the options of load. Exit code 1 means that the load would refuse the sample: more"
          + " points are rejected than --max-rejected allows, or values conflict.",
      ""
    })
final class PlanCommand extends Command {
  /** Bytes of text that are read without --sample. */
  static final long SAMPLE = 64L << 20;

  @Mixin TsdOptions tsd = new TsdOptions();
  @Mixin InputOptions input = new InputOptions();
  @Mixin NameOptions names = new NameOptions();
  @Mixin WriteOptions write = new WriteOptions();

  @Option(
      names = "--sample",
      paramLabel = "SIZE",
      converter = MemorySize.class,
      defaultValue = "64m",
      description = "Text to read, spread over the input. Default: ${DEFAULT-VALUE}.")
  long sample = SAMPLE;

  @Override
  ExitCode run(Invocation invocation) {
    Problems problems = invocation.problems();
    TsdSettings target = tsd.read(invocation);
    InputSettings files = input.read(names.read(target, problems), problems);
    WriteSettings writing = write.read(target, invocation);
    problems.atLeast("--sample", sample, 1);
    return plan(invocation.valid(target), files, writing, sample, invocation);
  }

  /** Plans a load and prints the plan. */
  static ExitCode plan(
      TsdSettings tsdSettings,
      InputSettings inputSettings,
      WriteSettings writeSettings,
      long sampleBytes,
      Invocation invocation) {
    Requirements requirements =
        Requirements.of(
            tsdSettings, writeSettings, invocation.clock().instant(), new Configuration());
    LoadInput found =
        LoadInput.find(
            inputSettings,
            Runtime.getRuntime().availableProcessors(),
            requirements.configuration(),
            System.in);
    try (TsdHBase hbase = requirements.connect()) {
      Planner.Plan plan =
          new Planner(requirements, hbase)
              .plan(found, sampleBytes, inputSettings.names(), inputSettings.limits());
      ExitCode done = invocation.print(plan.table());
      return plan.isRefused() ? ExitCode.BAD_INPUT : done;
    } catch (IOException e) {
      throw JobException.outside("the input cannot be read: " + StorageFailures.reason(e), e);
    }
  }
}
