package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * The meta table as it should be, in memory, for what cannot be made to happen in a real one: who
 * answers when, and which write fails.
 */
final class MemoryTable implements MetaTable {
  /** What befalls a call. */
  enum Fate {
    DONE,
    REFUSED,
    /** No answer before {@link #answerAll}. */
    LATE
  }

  private final Map<ByteBuffer, byte[]> counters = new HashMap<>();
  private final Map<ByteBuffer, Integer> tsMetas = new HashMap<>();
  private final Queue<Runnable> open = new ArrayDeque<>();
  private Supplier<Fate> counterFate = () -> Fate.DONE;
  private Supplier<Fate> tsMetaFate = () -> Fate.DONE;
  private Runnable beforeRefresh = () -> {};
  private int writes;
  private int reads;

  @Override
  public Deferred<Long> increment(byte[] tsuid, long points) {
    return answer(
        counterFate,
        () -> {
          writes++;
          byte[] old = counters.get(ByteBuffer.wrap(tsuid));
          long value = points + (old == null ? 0 : ByteBuffer.wrap(old).getLong());
          counters.put(ByteBuffer.wrap(tsuid), bytes(value));
          return value;
        });
  }

  @Override
  public Deferred<Boolean> refresh(byte[] tsuid, byte[] value) {
    return answer(
        counterFate,
        () -> {
          writes++;
          beforeRefresh.run();
          byte[] old = counters.get(ByteBuffer.wrap(tsuid));
          return old != null && ByteBuffer.wrap(old).equals(ByteBuffer.wrap(value));
        });
  }

  @Override
  public Deferred<Boolean> create(byte[] tsuid) {
    return answer(
        counterFate,
        () -> {
          writes++;
          return counters.putIfAbsent(ByteBuffer.wrap(tsuid), bytes(1)) == null;
        });
  }

  @Override
  public Deferred<byte[]> counter(byte[] tsuid) {
    return answer(
        counterFate,
        () -> {
          reads++;
          return counters.get(ByteBuffer.wrap(tsuid));
        });
  }

  @Override
  public Deferred<Boolean> storeTsMeta(byte[] tsuid) {
    return answer(
        tsMetaFate,
        () -> {
          tsMetas.merge(ByteBuffer.wrap(tsuid), 1, Integer::sum);
          return true;
        });
  }

  private <T> Deferred<T> answer(Supplier<Fate> fate, Supplier<T> work) {
    synchronized (this) {
      switch (fate.get()) {
        case REFUSED:
          return Deferred.fromError(new IllegalStateException("the table is away"));
        case LATE:
          Deferred<T> later = new Deferred<>();
          open.add(() -> later.callback(alone(work)));
          return later;
        default:
          return Deferred.fromResult(work.get());
      }
    }
  }

  private synchronized <T> T alone(Supplier<T> work) {
    return work.get();
  }

  /** Answers all calls that wait, and those that come of that. */
  void answerAll() {
    for (Runnable next = poll(); next != null; next = poll()) {
      next.run();
    }
  }

  private synchronized Runnable poll() {
    return open.poll();
  }

  synchronized void counters(Supplier<Fate> fate) {
    counterFate = fate;
  }

  synchronized void tsMetas(Supplier<Fate> fate) {
    tsMetaFate = fate;
  }

  /** What others do between a read and the write that follows. */
  synchronized void beforeRefresh(Runnable others) {
    beforeRefresh = others;
  }

  synchronized void put(byte[] tsuid, byte[] value) {
    counters.put(ByteBuffer.wrap(tsuid), value);
  }

  /** The counter's value; -1 if there is none. */
  synchronized long value(byte[] tsuid) {
    byte[] value = counters.get(ByteBuffer.wrap(tsuid));
    return value == null ? -1 : ByteBuffer.wrap(value).getLong();
  }

  /** How often a TSMeta was stored. */
  synchronized int tsMetas(byte[] tsuid) {
    return tsMetas.getOrDefault(ByteBuffer.wrap(tsuid), 0);
  }

  synchronized int rows() {
    return counters.size();
  }

  synchronized int open() {
    return open.size();
  }

  synchronized int writes() {
    return writes;
  }

  synchronized int reads() {
    return reads;
  }

  static byte[] bytes(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }
}
