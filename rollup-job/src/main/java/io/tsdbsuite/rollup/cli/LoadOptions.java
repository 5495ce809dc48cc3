package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.rollup.load.LoadJob;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Checks the options of {@code rollup-job load} and the files that they name, all of them. */
final class LoadOptions {
  private final LoadCommand command;
  private final Problems problems = new Problems();
  private final TsdFiles files;
  private final Map<String, String> hbase;

  /**
   * @param overrides values for keys of opentsdb.conf that win over the file's
   */
  LoadOptions(LoadCommand command, Map<String, String> overrides) {
    this.command = command;
    problems.require("--hfile-dir", command.hfileDir);
    this.files = TsdFiles.read(command.tsd, overrides, problems);
    this.hbase = HBaseClient.properties(files.config(), command.hbase, problems);
  }

  /** What is wrong with them; empty if nothing is. */
  List<String> problems() {
    return problems.all();
  }

  /**
   * The job, if there are no problems.
   *
   * @param hadoop Hadoop's settings
   */
  LoadJob job(Configuration hadoop, Clock clock) {
    return new LoadJob(
        HBaseClients.configuration(hadoop, hbase),
        command.hfileDir,
        files.schema(),
        files.rollups(),
        clock);
  }
}
