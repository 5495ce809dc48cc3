package io.tsdbsuite.bulk.hbase;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Sends long lists of operations to a table as several concurrent calls. A region server executes
 * the checked mutations of one call one after the other, each with a WAL sync; concurrent calls
 * share syncs. Retries are the client's. Thread-safe.
 */
public final class ParallelTable implements Closeable {
  private static final int CALLS = 8;
  private static final int FEWEST_PER_CALL = 32;
  private static final int MOST_PER_CALL = 1000;

  private final Connection connection;
  private final TableName name;
  private final ExecutorService calls;

  /**
   * A table; its existence is not checked.
   *
   * @param connection stays open when this is closed
   */
  public ParallelTable(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
    this.calls =
        Executors.newFixedThreadPool(
            CALLS,
            call -> {
              Thread thread = new Thread(call, "table-" + name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Gets rows.
   *
   * @return one result for each, in their order; empty for a row that does not exist
   * @throws JobException outside, naming the table and the row that failed
   */
  public List<Result> get(List<Get> gets) {
    return inSlices(gets, (table, slice) -> List.of(table.get(slice)));
  }

  /**
   * Makes mutations whose condition holds. The answer is also false if the first try succeeded and
   * its response was lost.
   *
   * @return for each, in their order, whether it was made
   * @throws JobException outside, naming the table and the row that failed; others may be made
   */
  public boolean[] checkAndMutate(List<CheckAndMutate> mutations) {
    List<CheckAndMutateResult> results =
        inSlices(mutations, (table, slice) -> table.checkAndMutate(slice));
    boolean[] made = new boolean[results.size()];
    for (int i = 0; i < made.length; i++) {
      made[i] = results.get(i).isSuccess();
    }
    return made;
  }

  /**
   * Increments.
   *
   * @throws JobException outside, naming the table
   */
  public Result increment(Increment increment) {
    return inSlices(List.of(increment), (table, slice) -> List.of(table.increment(slice.get(0))))
        .get(0);
  }

  /** Executes a part of a list. */
  @FunctionalInterface
  private interface Call<T extends Row, R> {
    List<R> on(Table table, List<T> slice) throws IOException;
  }

  private <T extends Row, R> List<R> inSlices(List<T> all, Call<T, R> call) {
    int slice =
        Math.min(MOST_PER_CALL, Math.max(FEWEST_PER_CALL, (all.size() + CALLS - 1) / CALLS));
    List<Callable<List<R>>> tasks = new ArrayList<>();
    for (int from = 0; from < all.size(); from += slice) {
      List<T> part = all.subList(from, Math.min(all.size(), from + slice));
      tasks.add(
          () -> {
            try (Table table = connection.getTable(name)) {
              return call.on(table, part);
            } catch (IOException e) {
              throw HBaseFailures.outside(rule(part), e);
            }
          });
    }
    List<R> results = new ArrayList<>(all.size());
    try {
      for (Future<List<R>> done : calls.invokeAll(tasks)) {
        results.addAll(done.get());
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof JobException failure) {
        throw failure;
      }
      throw Defects.of(Objects.requireNonNullElse(e.getCause(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted while waiting for table '" + name + "'", e);
    }
    return results;
  }

  private String rule(List<? extends Row> rows) {
    return "table '"
        + name
        + "' must answer for row "
        + Bytes.toStringBinary(rows.get(0).getRow())
        + (rows.size() > 1 ? " and " + (rows.size() - 1) + " more" : "");
  }

  /** Ends its threads. */
  @Override
  public void close() {
    calls.shutdownNow();
  }
}
