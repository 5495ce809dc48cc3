package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.load.LoadJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import picocli.CommandLine;

/** The command line of {@code rollup-job load}. */
final class LoadMain {
  private final PrintWriter out;
  private final PrintWriter err;

  LoadMain(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the load. Never throws for anything that a user or an outside system does. */
  ExitCode run(String... args) {
    LoadCommand command = new LoadCommand();
    CommandLine line = new CommandLine(command);
    try {
      line.parseArgs(args);
      if (line.isUsageHelpRequested()) {
        line.usage(out);
        return ExitCode.DONE;
      }
      if (line.isVersionHelpRequested()) {
        line.printVersionHelp(out);
        return ExitCode.DONE;
      }
      out.print(job(command).run().text());
      out.flush();
      return ExitCode.DONE;
    } catch (CommandLine.ParameterException e) {
      return fail(e.getMessage() + System.lineSeparator() + "--help lists the options.");
    } catch (RollupException e) {
      err.println("rollup-job load: " + e.getMessage());
      return e.exitCode();
    } catch (RuntimeException | LinkageError e) {
      err.println("rollup-job load: unexpected failure, please report it: " + e);
      e.printStackTrace(err);
      return ExitCode.OUTSIDE;
    }
  }

  private ExitCode fail(String problem) {
    err.println("rollup-job load: " + problem);
    return ExitCode.USAGE;
  }

  private static LoadJob job(LoadCommand command) {
    try {
      TsdConfig config = TsdConfig.load(command.tsdConfig);
      StorageSchema schema = StorageSchema.from(config);
      String rollups = command.rollupConfig != null ? command.rollupConfig : schema.rollupConfig();
      if (rollups == null) {
        throw RollupException.usage(
            "a rollup configuration is required: --rollup-config, or tsd.rollups.config in"
                + " --tsd-config");
      }
      List<String> problems = new ArrayList<>();
      Map<String, String> properties =
          HBaseClient.properties(config, command.hbaseProperties, problems);
      if (!problems.isEmpty()) {
        throw RollupException.usage(problems);
      }
      // What spark-submit was told of Hadoop, without an application.
      Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
      StoragePatience.apply(hadoop);
      return new LoadJob(
          HBaseClient.configuration(hadoop, properties),
          command.hfileDir,
          schema,
          RollupConfig.load(rollups));
    } catch (SchemaException e) {
      throw RollupException.usage(e.problems());
    } catch (IOException | IllegalArgumentException e) {
      throw RollupException.usage("configuration cannot be read: " + e, e);
    }
  }
}
