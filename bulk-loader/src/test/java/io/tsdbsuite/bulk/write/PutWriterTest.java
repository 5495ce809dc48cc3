package io.tsdbsuite.bulk.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.junit.jupiter.api.Test;

class PutWriterTest {
  private static final byte[] ROW = {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1};

  /** A connection whose puts fail. */
  private static Connection failing(IOException failure) {
    BufferedMutator mutator =
        proxy(
            BufferedMutator.class,
            (self, method, arguments) -> {
              throw failure;
            });
    return proxy(Connection.class, (self, method, arguments) -> mutator);
  }

  private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static JobException failure(IOException failure) {
    PutWriter writer =
        new PutWriter(
            failing(failure),
            TableName.valueOf("tsdb"),
            WalMode.SYNC,
            PutWriter.DEFAULT_BUFFER_BYTES,
            ForkJoinPool.commonPool(),
            null,
            new RowName(new RowKey(StorageSchema.defaults()), tsuid -> "m host=a"));
    writer.write(new EncodedRow(ROW, new byte[] {0, 0}, new byte[] {1}, 1, 0), 1);
    JobException thrown = catchThrowableOfType(JobException.class, writer::checkpoint);
    assertThat(thrown.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    return thrown;
  }

  @Test
  void aFailureNamesNoClass() {
    IOException away =
        new NotServingRegionException("tsdb,,1 is not online on rs1\n\tat org.apache.Some.line");
    assertThat(failure(new IOException(new IOException("rs1: connection refused"))))
        .hasMessage("table tsdb: puts failed: rs1: connection refused");
    assertThat(
            failure(
                new RetriesExhaustedWithDetailsException(
                    List.of(away), List.of(new Put(ROW)), List.of("rs1:16020"))))
        .hasMessageStartingWith("table tsdb: ")
        .hasMessageContaining("m host=a")
        .hasMessageEndingWith("rs1:16020: tsdb,,1 is not online on rs1");
  }
}
