package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.uid.SchemaCheck;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.job.JobException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Configuration derived from the settings and the start time of a load, and the checks before it
 * begins.
 *
 * @param began when the load began, be it in an earlier process
 * @param configuration of HBase's client and of file systems
 */
public record Requirements(
    TsdSettings tsd,
    WriteSettings write,
    Instant began,
    HBaseAddress address,
    Configuration configuration,
    CellTimestamps stamps) {
  /**
   * Derives it.
   *
   * @param base configuration to extend
   * @throws JobException usage, when the settings contradict each other
   */
  public static Requirements of(
      TsdSettings tsd, WriteSettings write, Instant began, Configuration base) {
    HBaseAddress address = HBaseAddress.from(tsd.config());
    return new Requirements(
        tsd,
        write,
        began,
        address,
        TsdHBase.configuration(base, address, tsd.hbaseProperties()),
        CellTimestamps.of(write.cellTimestamp(), tsd.schema(), InstantSource.fixed(began)));
  }

  /** The same of a load on this machine. */
  static Requirements of(LoadSettings settings, Instant began) {
    return of(settings.tsd(), settings.write(), began, new Configuration());
  }

  /** Name of the files of the load that began then, outside of its work directory. */
  public static String runId(Instant began) {
    return "load" + began.toEpochMilli();
  }

  /**
   * Connects.
   *
   * @throws JobException as {@link TsdHBase#open}
   */
  public TsdHBase connect() {
    return TsdHBase.open(address, configuration, TsdHBase.tables(tsd.schema(), write.meta()));
  }

  /**
   * Whether rows of the data table tell that salt and UID widths are right, as text.
   *
   * @throws JobException usage, when they tell that one is wrong; outside, when HBase fails
   */
  public String rowKeys(TsdHBase hbase, TableFacts table) {
    return SchemaCheck.require(hbase.connection(), tsd.config(), table);
  }

  /**
   * What the load does with the coverage table, as text.
   *
   * @throws JobException usage, when a named one does not exist; outside, when HBase does not tell
   */
  public String coverage(TsdHBase hbase) {
    return CoverageMasks.preview(hbase, write);
  }

  /**
   * The data table, checked as far as possible before the input is read.
   *
   * @throws JobException usage, with all problems
   */
  public TableFacts table(TsdHBase hbase) {
    TableFacts table = TableFacts.read(hbase.connection(), tsd.schema().dataTable());
    // The oldest point is not known yet; the present stands in for it.
    List<String> problems =
        new ArrayList<>(
            table.problems(
                stamps, began.toEpochMilli(), began.toEpochMilli(), write.mode() == Mode.HFILE));
    if (write.needsUnreplicated()) {
      problems.addAll(table.unreplicated());
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
    return table;
  }
}
