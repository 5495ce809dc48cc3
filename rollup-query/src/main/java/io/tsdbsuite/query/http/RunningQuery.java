package io.tsdbsuite.query.http;

import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryAbortedException;
import io.tsdbsuite.query.run.QueryContext;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import net.opentsdb.stats.QueryStats;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.channel.ChannelFutureListener;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.util.Timeout;
import org.jboss.netty.util.Timer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one answer of a running query: its result, its failure, or the reason why it was stopped,
 * whichever comes first. A query that was stopped is answered at once, and ends when its reader has
 * noticed.
 */
final class RunningQuery {
  private static final Logger LOG = LoggerFactory.getLogger(RunningQuery.class);

  private static final String FAILED = "failed";

  private final QueryExchange exchange;
  private final QueryContext context;
  private final QueryStats stats;
  private final QueryCounts counts;
  private final Consumer<String> onEnd;
  private final AtomicBoolean answered = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final ChannelFutureListener onClose;
  private volatile @Nullable Timeout timeout;
  private volatile String outcome = "answered";

  /**
   * @param onEnd called at the end with the outcome, as the statistics name it
   */
  RunningQuery(
      QueryExchange exchange,
      QueryContext context,
      QueryStats stats,
      QueryCounts counts,
      Consumer<String> onEnd) {
    this.exchange = exchange;
    this.context = context;
    this.stats = stats;
    this.counts = counts;
    this.onEnd = onEnd;
    this.onClose =
        closed -> context.abort(AbortReason.CLIENT_GONE, "The client has closed its connection.");
    counts.begun();
  }

  /**
   * Stops the query when its client goes or its time is over.
   *
   * @param millis time limit; 0 for none
   */
  void watch(Timer timer, long millis) {
    if (millis > 0) {
      timeout = timer.newTimeout(expired -> context.timeOver(), millis, TimeUnit.MILLISECONDS);
    }
    context.onAbort(this::stopped);
    // Nobody else ends the query then.
    context.onBroken(this::end);
    exchange.channel().getCloseFuture().addListener(onClose);
  }

  /** The result is ready. */
  @Nullable Object done(ChannelBuffer body) {
    try {
      if (claimAnswer()) {
        writeNotes();
        exchange.send(body);
        counts.answered();
      }
    } catch (RuntimeException e) {
      // The client may have half of the answer: nothing can be sent.
      LOG.error("rollup-query: an answer could not be sent", e);
    } finally {
      end();
    }
    return null;
  }

  /** The query has failed. */
  @Nullable Object failed(Exception failure) {
    try {
      if (claimAnswer()) {
        count(failure);
        writeNotes();
        exchange.fail(failure);
      }
    } catch (RuntimeException e) {
      LOG.error("rollup-query: an error could not be sent", e);
    } finally {
      end();
    }
    return null;
  }

  /**
   * The query has failed while it was started: whoever called answers it, as OpenTSDB does, unless
   * it was stopped.
   */
  void refuse(RuntimeException failure) {
    if (failure instanceof QueryAbortedException) {
      failed(failure);
      return;
    }
    boolean first = claimAnswer();
    outcome = FAILED;
    end();
    if (first) {
      counts.failed();
      stats.markSerialized(HttpResponseStatus.INTERNAL_SERVER_ERROR, failure);
      throw failure;
    }
  }

  /** Whether no answer was sent or claimed before: then the caller must send it. */
  private boolean claimAnswer() {
    boolean first = answered.compareAndSet(false, true);
    if (first) {
      counts.finished();
    }
    return first;
  }

  private void count(Exception failure) {
    if (failure instanceof QueryAbortedException) {
      AbortReason reason = ((QueryAbortedException) failure).reason();
      outcome = reason.tag();
      counts.stopped(reason);
    } else {
      outcome = FAILED;
      counts.failed();
    }
  }

  private void stopped() {
    QueryAbortedException reason = context.aborted();
    if (reason != null && claimAnswer()) {
      outcome = reason.reason().tag();
      counts.stopped(reason.reason());
      writeNotes();
      exchange.fail(reason);
    }
  }

  private void writeNotes() {
    List<String> notes = context.notes();
    if (!notes.isEmpty()) {
      exchange.header(NotesHeader.NAME, NotesHeader.of(notes));
    }
  }

  private void end() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      Timeout waiting = timeout;
      if (waiting != null) {
        waiting.cancel();
      }
      exchange.channel().getCloseFuture().removeListener(onClose);
      counts.ended(context);
      onEnd.accept(outcome);
    } finally {
      // Also when something fails before: else its share would be held until the TSD ends.
      context.end();
    }
  }
}
