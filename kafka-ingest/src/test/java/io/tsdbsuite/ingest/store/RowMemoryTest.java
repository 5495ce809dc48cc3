package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

class RowMemoryTest {
  private static final int MANY = 1000;

  private final RowMemory memory = new RowMemory(Runnable::run);
  private final List<Deferred<Object>> running = new ArrayList<>();

  private void reserve(int reads) {
    reserve(memory, reads);
  }

  private void reserve(RowMemory from, int reads) {
    for (int i = 0; i < reads; i++) {
      Deferred<Object> done = new Deferred<>();
      from.reserve(done, () -> running.add(done));
    }
  }

  /** Ends the first read after its rows have come. */
  private void end(long bytes) {
    Deferred<Object> done = running.remove(0);
    memory.read(done, bytes);
    memory.release(done);
  }

  @Test
  void readsWaitForRoom() {
    reserve(MANY);
    assertThat(running).hasSize((int) (RowMemory.LIMIT / RowMemory.LEAST));
    int done = 0;
    while (!running.isEmpty()) {
      assertThat(memory.used()).isLessThanOrEqualTo(RowMemory.LIMIT);
      end(300_000);
      done++;
    }
    assertThat(done).isEqualTo(MANY);
    assertThat(memory.used()).isZero();
  }

  /** Rows of 16 MiB: after the first one no more than four are read at a time. */
  @Test
  void largeRowsAreReadFewAtATime() {
    reserve(1);
    end(RowMemory.LIMIT / 4);
    reserve(MANY);
    assertThat(running).hasSize(4);
    end(RowMemory.LIMIT / 4);
    assertThat(running).hasSize(4);
    end(2 * RowMemory.LIMIT);
    while (memory.used() <= RowMemory.LIMIT) {
      end(1000);
    }
    // Larger than the limit: alone.
    assertThat(running).hasSize(1);
    int done = 0;
    while (!running.isEmpty()) {
      end(1000);
      done++;
    }
    assertThat(done).isGreaterThan(MANY - 20);
    assertThat(memory.used()).isZero();
  }

  /** As when the operating system has no more threads. */
  @Test
  void readsThatGetNoThreadRunInThisOne() {
    RowMemory full =
        new RowMemory(
            work -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    reserve(full, MANY);
    int done = 0;
    while (!running.isEmpty()) {
      full.release(running.remove(0));
      done++;
    }
    assertThat(done).isEqualTo(MANY);
    assertThat(full.used()).isZero();
  }

  /** HBase's client answers none of the first reads: the next ones must not wait for ever. */
  @Test
  void readsThatAreGivenUpLeaveTheirRoom() {
    reserve(MANY);
    List<Deferred<Object>> lost = List.copyOf(running);
    running.clear();
    lost.forEach(memory::release);
    assertThat(running).hasSize(lost.size());
    // A late answer counts again until its rows are gone.
    memory.read(lost.get(0), 3000);
    assertThat(memory.used()).isEqualTo(RowMemory.LIMIT + 3000);
    memory.release(lost.get(0));
    while (!running.isEmpty()) {
      end(300_000);
    }
    assertThat(memory.used()).isZero();
  }

  /** Until HBase has acknowledged them, unless that is given up. */
  @Test
  void histogramsKeepRoom() {
    reserve(2);
    Deferred<Object> done = running.remove(0);
    Deferred<Object> lost = running.remove(0);
    memory.release(lost);
    assertThat(memory.read(done, 2 * RowMemory.LIMIT)).isTrue();
    reserve(1);
    memory.keep(done, 1000);
    assertThat(memory.used()).isEqualTo(1000);
    assertThat(running).as("needs more than is left").isEmpty();
    assertThat(memory.read(lost, 3000)).isFalse();
    memory.keep(lost, 0);
    memory.keep(lost, 2000);
    assertThat(memory.used()).isEqualTo(1000);
    memory.release(done);
    assertThat(running).hasSize(1);
  }

  /** Measured: a row of 3,600 cells of eight bytes takes 345 KB. */
  @Test
  void bytesOfCells() {
    byte[] key = new byte[13];
    KeyValue cell = new KeyValue(key, new byte[1], new byte[2], new byte[8]);
    List<List<KeyValue>> rows = List.of(Collections.nCopies(3600, cell), List.of());
    assertThat(RowMemory.bytes(rows)).isBetween(310_000L, 380_000L);
  }
}
