package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.rollup.load.LoadJob;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Checks all options of {@code rollup-job load} and the files that they name. */
final class LoadOptions {
  private final LoadCommand command;
  private final Problems problems = new Problems();
  private final TsdFiles files;
  private final Map<String, String> hbase;

  /**
   * @param overrides values that override keys of opentsdb.conf
   */
  LoadOptions(LoadCommand command, Map<String, String> overrides) {
    this.command = command;
    problems.require("--hfile-dir", command.hfileDir);
    this.files = TsdFiles.read(command.tsd, overrides, problems);
    this.hbase = HBaseClient.properties(files.config(), command.hbase, problems);
  }

  /** The problems of the options; empty if there are none. */
  List<String> problems() {
    return problems.all();
  }

  /**
   * Creates the job; only if there are no problems.
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
