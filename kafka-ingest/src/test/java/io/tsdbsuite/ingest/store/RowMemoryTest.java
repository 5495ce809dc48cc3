package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

class RowMemoryTest {
  private static final int MANY = 1000;

  private final RowMemory memory = new RowMemory(Runnable::run);
  private final List<Long> running = new ArrayList<>();

  private void reserve(int reads) {
    for (int i = 0; i < reads; i++) {
      memory.reserve(running::add);
    }
  }

  /** Ends the first read after its rows have come. */
  private void end(long bytes) {
    long reserved = memory.read(running.remove(0), bytes);
    memory.release(reserved);
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
    for (int i = 0; i < MANY; i++) {
      full.reserve(running::add);
    }
    int done = 0;
    while (!running.isEmpty()) {
      full.release(running.remove(0));
      done++;
    }
    assertThat(done).isEqualTo(MANY);
    assertThat(full.used()).isZero();
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
