package io.tsdbsuite.stream.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.stream.flink.BooksReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.jspecify.annotations.Nullable;

/**
 * A job in this process: a SIGTERM stops it with a savepoint, and its books are reported.
 *
 * <p>The savepoint is taken while the JVM's shutdown hooks run, among them that of Hadoop, which
 * closes the file systems in Hadoop's cache. Flink's are not among them: it makes its own.
 */
final class LocalJob {
  /** Limit for a savepoint at the stop. */
  static final long STOP_SECONDS = 120;

  private final JobClient client;
  private final PrintWriter out;
  private final PrintWriter err;
  private final CountDownLatch reported = new CountDownLatch(1);
  private volatile int code = ExitCode.DEFECT.code();

  LocalJob(JobClient client, PrintWriter out, PrintWriter err) {
    this.client = client;
    this.out = out;
    this.err = err;
  }

  /**
   * Waits for the end of the job; prints its books, or why it failed.
   *
   * @param report destination of the report; null for none
   */
  ExitCode await(@Nullable Path report) {
    // A JVM that is told to stop would exit with 143, whatever became of the job.
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
    ExitCode end = ExitCode.DONE;
    try {
      end(report);
    } catch (Exception e) {
      JobException failure = FlinkFailures.of(e);
      err.println("stream-rollup: " + failure.getMessage());
      end = failure.exitCode();
    }
    code = end.code();
    // The hook may end the JVM from here on.
    reported.countDown();
    return end;
  }

  private void end(@Nullable Path report) throws ExecutionException, InterruptedException {
    BooksReport books =
        BooksReport.of(client.getJobExecutionResult().get().getAllAccumulatorResults());
    out.print(books.table());
    out.flush();
    if (report != null) {
      try {
        Files.writeString(report, books.json());
      } catch (IOException e) {
        throw JobException.outside("--report " + report + " cannot be written: " + e, e);
      }
    }
    if (!books.close()) {
      throw JobException.defect(
          "a defect of stream-rollup, please report it: the books do not close", null);
    }
  }

  private void stop() {
    if (reported.getCount() == 0) {
      return;
    }
    try {
      String savepoint =
          client
              .stopWithSavepoint(false, null, SavepointFormatType.CANONICAL)
              .get(STOP_SECONDS, TimeUnit.SECONDS);
      out.println("savepoint: " + savepoint);
      out.flush();
      reported.await(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      out.println("no savepoint was taken, the last checkpoint stays: " + e);
      out.flush();
      code = ExitCode.OUTSIDE.code();
    }
    Runtime.getRuntime().halt(code);
  }
}
