package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.limit.BatchQueue;
import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A scanner that answers, and an executor that works, when the test says so. */
class BatchReaderTest {
  private final QueryContext context = new QueryContext(QueryLimits.NONE, () -> 0);
  private final BatchQueue queue = new BatchQueue(64);
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<String> log = new ArrayList<>();
  private final Map<String, Deferred<Object>> names = new HashMap<>();
  private final Map<String, Throwable> faults = new HashMap<>();
  private Deferred<List<List<KeyValue>>> answer = new Deferred<>();
  private boolean full;
  private boolean noThread;

  private final BatchReader reader =
      new BatchReader(
          new BatchReader.Source() {
            @Override
            public Deferred<List<List<KeyValue>>> next() {
              log.add("ask");
              answer = new Deferred<>();
              return answer;
            }

            @Override
            public void close() {
              log.add("close");
            }
          },
          new BatchReader.Target() {
            @Override
            public @Nullable Deferred<?> look(List<? extends List<KeyValue>> batch) {
              return names.get(name(batch));
            }

            @Override
            public void decode(List<? extends List<KeyValue>> batch) {
              log.add(name(batch));
              Throwable fault = faults.get(name(batch));
              if (fault instanceof RuntimeException) {
                throw (RuntimeException) fault;
              } else if (fault instanceof Error) {
                throw (Error) fault;
              }
            }

            @Override
            public void answered(@Nullable List<? extends List<KeyValue>> batch) {
              if (batch != null && name(batch).equals("too much")) {
                throw new IllegalStateException("too much");
              }
            }

            @Override
            public void ended() {
              log.add("ended");
            }

            @Override
            public void failed(Exception failure) {
              log.add("failed: " + failure.getMessage());
            }
          },
          context,
          task -> {
            if (full) {
              throw new RejectedExecutionException("full");
            }
            if (noThread) {
              throw new OutOfMemoryError("no thread");
            }
            tasks.add(task);
          },
          queue);

  private static String name(List<? extends List<KeyValue>> batch) {
    return new String(batch.get(0).get(0).key(), StandardCharsets.ISO_8859_1);
  }

  /** HBase answers with a batch of this name. */
  private void batch(String name) {
    byte[] key = name.getBytes(StandardCharsets.ISO_8859_1);
    answer.callback(List.of(List.of(new KeyValue(key, key, key, key))));
  }

  /** HBase answers that there are no more. */
  private void noMore() {
    answer.callback(null);
  }

  /** The executor does all that it has. */
  private void work() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  @Test
  void aBatchIsAskedForWhileAnotherIsDecoded() {
    reader.ask();
    batch("1");
    assertThat(log).containsExactly("ask", "ask");
    batch("2");
    assertThat(log).as("two are enough").hasSize(2);
    assertThat(queue.waiting()).isEqualTo(2);
    work();
    assertThat(log).containsExactly("ask", "ask", "1", "ask", "2");
    noMore();
    assertThat(log).endsWith("2", "close", "ended");
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void theEndWaitsForTheLastBatch() {
    reader.ask();
    batch("1");
    noMore();
    assertThat(log).containsExactly("ask", "ask");
    work();
    assertThat(log).containsExactly("ask", "ask", "1", "close", "ended");
  }

  @Test
  void aScannerWithoutRowsEnds() {
    reader.ask();
    noMore();
    assertThat(log).containsExactly("ask", "close", "ended");
  }

  @Test
  void namesThatAreLookedUpKeepTheOrder() {
    names.put("1", new Deferred<>());
    reader.ask();
    batch("1");
    work();
    batch("2");
    work();
    assertThat(log).containsExactly("ask", "ask");
    names.get("1").callback(true);
    work();
    noMore();
    assertThat(log).containsExactly("ask", "ask", "1", "ask", "2", "close", "ended");
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void namesThatAreNotFoundFailTheReading() {
    names.put("1", new Deferred<>());
    reader.ask();
    batch("1");
    noMore();
    work();
    names.get("1").callback(new IllegalStateException("names"));
    assertThat(log).containsExactly("ask", "ask", "close", "failed: names");
    assertThat(queue.waiting()).isZero();
  }

  /** Whoever counts its memory refuses it, while another one is decoded. */
  @Test
  void aBatchThatIsRefusedEndsTheReading() {
    reader.ask();
    batch("1");
    batch("too much");
    assertThat(log).containsExactly("ask", "ask", "close", "failed: too much");
    work();
    assertThat(log).hasSize(4);
    assertThat(queue.waiting()).isZero();
  }

  /** Another scan has failed, or the query was stopped. HBase may lose the request for a name. */
  @Test
  void namesThatNeverComeHoldNoBatchAfterTheStop() {
    names.put("1", new Deferred<>());
    reader.ask();
    batch("1");
    work();
    batch("2");
    reader.stop();
    work();
    assertThat(log).containsExactly("ask", "ask", "close");
    assertThat(queue.waiting()).isZero();
    names.get("1").callback(true);
    work();
    assertThat(log).hasSize(3);
    assertThat(queue.waiting()).isZero();
  }

  /** All batches have come; without the one that fails they are no answer. */
  @Test
  void aBatchThatFailsIsNeverLeftOut() {
    faults.put("1", new IllegalStateException("decode"));
    reader.ask();
    batch("1");
    noMore();
    work();
    assertThat(log).containsExactly("ask", "ask", "1", "close", "failed: decode");
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void anErrorBreaksTheQueryAndEndsNothing() {
    faults.put("1", new LinkageError("decode"));
    reader.ask();
    batch("1");
    noMore();
    work();
    assertThat(log).containsExactly("ask", "ask", "1", "close");
    assertThat(context.aborted().reason()).isEqualTo(AbortReason.ERROR);
    assertThat(queue.waiting()).isZero();
  }

  /** asynchbase would open a scanner again that is closed while it reads. */
  @Test
  void aScannerIsClosedAfterItsAnswer() {
    faults.put("1", new IllegalStateException("decode"));
    reader.ask();
    batch("1");
    work();
    assertThat(log).containsExactly("ask", "ask", "1", "failed: decode");
    batch("2");
    work();
    assertThat(log).endsWith("failed: decode", "close");
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void hbaseFailsWhileABatchIsDecoded() {
    reader.ask();
    batch("1");
    answer.callback(new IllegalStateException("HBase"));
    assertThat(log).containsExactly("ask", "ask", "close", "failed: HBase");
    work();
    assertThat(log).hasSize(4);
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void aReadingThatIsStoppedEndsSilently() {
    reader.ask();
    batch("1");
    batch("2");
    reader.stop();
    work();
    assertThat(log).containsExactly("ask", "ask", "close");
    assertThat(queue.waiting()).isZero();
    reader.ask();
    assertThat(log).as("closed once").hasSize(3);
  }

  @Test
  void namesThatComeAfterTheEndAreNotUsed() {
    names.put("1", new Deferred<>());
    reader.ask();
    batch("1");
    work();
    reader.stop();
    names.get("1").callback(true);
    work();
    noMore();
    assertThat(log).containsExactly("ask", "ask", "close");
    assertThat(queue.waiting()).isZero();
  }

  /** Batches that counted for ever would hold up all queries. */
  @Test
  void withoutAThreadTheQueryIsBrokenAndNoBatchWaits() {
    reader.ask();
    batch("1");
    batch("2");
    noThread = true;
    work();
    noMore();
    assertThat(log).containsExactly("ask", "ask", "1", "ask", "close");
    assertThat(context.aborted().reason()).isEqualTo(AbortReason.ERROR);
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void aFullExecutorFailsTheReading() {
    full = true;
    reader.ask();
    batch("1");
    assertThat(log).containsExactly("ask", "ask", "failed: full");
    noMore();
    assertThat(log).endsWith("failed: full", "close");
    assertThat(queue.waiting()).isZero();
  }
}
