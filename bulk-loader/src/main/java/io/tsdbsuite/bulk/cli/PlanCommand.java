package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.bulk.error.ExitCode;
import io.tsdbsuite.bulk.error.LoadException;
import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.plan.Plan;
import io.tsdbsuite.bulk.plan.Planner;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.format.schema.HBaseAddress;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what a load would do. */
@CommandLine.Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Reads a sample of the input and says what a load would do. Writes nothing.",
    description = "")
final class PlanCommand implements Command {
  @Mixin TsdOptions tsd = new TsdOptions();
  @Mixin InputOptions input = new InputOptions();

  @Option(
      names = "--sample",
      paramLabel = "SIZE",
      converter = MemorySize.Converter.class,
      defaultValue = "64m",
      description = "Text to read, spread over the input. Default: ${DEFAULT-VALUE}.")
  MemorySize sample = new MemorySize(64L << 20);

  @Override
  public ExitCode run(Invocation invocation, Problems problems) {
    SettingsReader reader = new SettingsReader(invocation, problems);
    TsdSettings tsdSettings = reader.tsd(tsd);
    InputSettings inputSettings = reader.input(input);
    problems.atLeast("--sample", sample.bytes(), 1);
    problems.throwIfAny();
    HBaseAddress address = HBaseAddress.from(tsdSettings.config());
    LoadInput found =
        LoadInput.find(
            inputSettings,
            Runtime.getRuntime().availableProcessors(),
            TsdHBase.configuration(address, tsdSettings.hbaseProperties()),
            System.in);
    try (TsdHBase hbase =
        TsdHBase.open(
            address, tsdSettings.hbaseProperties(), TsdHBase.tables(tsdSettings.schema(), false))) {
      Plan plan = new Planner(tsdSettings, hbase, invocation.clock()).plan(found, sample.bytes());
      invocation.out().print(plan.table());
      invocation.out().flush();
      return ExitCode.DONE;
    } catch (IOException e) {
      throw LoadException.outside("the input cannot be read: " + e, e);
    }
  }
}
