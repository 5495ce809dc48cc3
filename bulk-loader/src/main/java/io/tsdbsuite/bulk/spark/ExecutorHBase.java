package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.run.TargetTable;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.uid.UidAssigner;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The connection to HBase and the known UIDs that all tasks of an executor share. They live as long
 * as its JVM, which works for one application and ends with it; if executors are threads of the
 * driver, the driver closes them.
 */
final class ExecutorHBase {
  private static final Map<String, ExecutorHBase> OPEN = new HashMap<>();

  private final LoadPlan plan;
  private final TsdHBase hbase;
  private final UidAssigner uids;
  private @Nullable TableFacts table;

  private ExecutorHBase(LoadPlan plan, Configuration conf) {
    this.plan = plan;
    this.hbase = TsdHBase.checked(plan.address(), conf);
    this.uids = new UidAssigner(hbase.connection(), plan.schema(), plan.write().create());
  }

  /**
   * The connection and UIDs of a load.
   *
   * @param conf configuration of HBase's client
   */
  static ExecutorHBase of(LoadPlan plan, Configuration conf) {
    synchronized (OPEN) {
      ExecutorHBase open = OPEN.get(plan.runId());
      if (open == null) {
        open = new ExecutorHBase(plan, conf);
        OPEN.put(plan.runId(), open);
      }
      return open;
    }
  }

  /** Closes the connection and UIDs of a load in this JVM, if any, after its last task. */
  static void close(String runId) {
    synchronized (OPEN) {
      ExecutorHBase open = OPEN.remove(runId);
      if (open != null) {
        open.uids.close();
        open.hbase.close();
      }
    }
  }

  TsdHBase hbase() {
    return hbase;
  }

  UidAssigner uids() {
    return uids;
  }

  /** The target table, with the regions of the first call; the bulk load finds newer ones. */
  synchronized TargetTable target() {
    TableFacts known =
        table == null ? TableFacts.read(hbase.connection(), plan.schema().dataTable()) : table;
    table = known;
    return new TargetTable(hbase, plan.schema(), known, plan.cellTimestamps(), plan.write(), false);
  }
}
