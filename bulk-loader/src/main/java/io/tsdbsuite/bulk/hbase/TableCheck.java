package io.tsdbsuite.bulk.hbase;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.hbase.HBaseClients;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Checks that tables exist before the load starts, over a connection of its own with short
 * timeouts.
 */
final class TableCheck {
  /** Timeout of the whole check. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  private static final String CALL_MILLIS = "10000";

  private final HBaseAddress address;
  private final Map<String, String> tables;

  private TableCheck(HBaseAddress address, Map<String, String> tables) {
    this.address = address;
    this.tables = tables;
  }

  /** Checks the tables; see {@link TsdHBase#open} for the errors. */
  static void run(Configuration configuration, HBaseAddress address, Map<String, String> tables) {
    TableCheck check = new TableCheck(address, tables);
    FutureTask<List<String>> problems =
        new FutureTask<>(() -> check.problems(impatient(configuration)));
    // In a thread, because no timeout of the client covers all of its waits.
    Thread thread = new Thread(problems, "hbase-check");
    thread.setDaemon(true);
    thread.start();
    try {
      List<String> found = problems.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (!found.isEmpty()) {
        throw JobException.usage(found);
      }
    } catch (TimeoutException e) {
      throw JobException.outside(check.rule() + ", found no answer", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure
          ? HBaseFailures.outside(check.rule(), failure)
          : Defects.of(Objects.requireNonNullElse(e.getCause(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted while waiting for HBase at " + address, e);
    }
  }

  private String rule() {
    return "HBase at " + address + " must answer within " + LIMIT.toSeconds() + " s";
  }

  private static Configuration impatient(Configuration configuration) {
    Configuration impatient = new Configuration(configuration);
    impatient.set("hbase.client.retries.number", "3");
    impatient.set("hbase.rpc.timeout", CALL_MILLIS);
    impatient.set("hbase.client.operation.timeout", CALL_MILLIS);
    impatient.set("hbase.client.meta.operation.timeout", CALL_MILLIS);
    impatient.set("hbase.client.scanner.timeout.period", CALL_MILLIS);
    impatient.set("zookeeper.session.timeout", CALL_MILLIS);
    impatient.set(HBaseClients.REGISTRY_TIMEOUT, CALL_MILLIS);
    impatient.set("zookeeper.recovery.retry", "3");
    // Otherwise a retry soon after a failure says only that there was one.
    impatient.set("hbase.ipc.client.failed.servers.expiry", "0");
    return impatient;
  }

  private List<String> problems(Configuration configuration) throws IOException {
    List<String> problems = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      for (Map.Entry<String, String> table : tables.entrySet()) {
        String problem = problem(admin, table.getValue());
        if (problem != null) {
          problems.add(table.getKey() + ": " + problem);
        }
      }
    }
    return problems;
  }

  private @Nullable String problem(Admin admin, String table) throws IOException {
    TableName name;
    try {
      name = TableName.valueOf(table);
    } catch (IllegalArgumentException e) {
      return "must be a table name of HBase, found '" + table + "': " + e.getMessage();
    }
    if (!admin.tableExists(name)) {
      return "table '" + table + "' must exist in HBase at " + address + ", found none";
    }
    if (admin.isTableDisabled(name)) {
      return "table '" + table + "' must be enabled in HBase at " + address + ", found disabled";
    }
    return null;
  }
}
