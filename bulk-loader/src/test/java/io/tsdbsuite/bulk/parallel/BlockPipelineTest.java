package io.tsdbsuite.bulk.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.parse.BlockParser;
import io.tsdbsuite.bulk.parse.BlockSource;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.InfluxSections;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.parse.TextBlock;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that are held up at any point parse each block once, and lose none. */
@Timeout(300)
class BlockPipelineTest {
  private static final int HELPERS = 3;
  private static final int LINES = 120_000;
  private static final long START = 1_700_000_000L;

  private final Map<TextBlock, Thread> inWork =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final AtomicInteger twice = new AtomicInteger();
  private final byte[] text = text();

  private static byte[] text() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      lines.append("m ").append(START + i).append(' ').append(i).append(" k=v\n");
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Notes a block that two threads parse, and holds its thread up. */
  private final class WatchedParser implements BlockParser {
    private final BlockParser parser =
        Format.OPENTSDB.blockParser(ParseOptions.DEFAULT, new InfluxSections(null));
    private final Random random = new Random(Seed.VALUE + Thread.currentThread().getId());

    @Override
    public void parse(TextBlock block, long line, PointHandler handler) throws IOException {
      if (inWork.putIfAbsent(block, Thread.currentThread()) != null) {
        twice.incrementAndGet();
      }
      try {
        holdUp(random);
        parser.parse(block, line, handler);
        holdUp(random);
      } finally {
        inWork.remove(block);
      }
    }
  }

  private static void holdUp(Random random) {
    for (int i = random.nextInt(4) == 0 ? 100_000 : 0; i > 0; i--) {
      Thread.onSpinWait();
    }
  }

  private static final class Points implements PointHandler {
    private final List<Long> values = new ArrayList<>();
    private final List<Long> rejects = new ArrayList<>();
    private int stopAfter = Integer.MAX_VALUE;
    private boolean breaks;

    @Override
    public void integer(SeriesText series, long timestamp, long value) {
      if (breaks && value == 50_000) {
        throw new IllegalStateException("the handler breaks");
      }
      if (timestamp != START + value) {
        throw new AssertionError(timestamp + " must be the time of " + value);
      }
      values.add(value);
    }

    @Override
    public void floating(SeriesText series, long timestamp, double value) {
      throw new AssertionError("found " + value);
    }

    @Override
    public void rejected(
        RejectReason reason, long line, String detail, byte[] bytes, int off, int len) {
      rejects.add(line);
    }

    @Override
    public void skippedPoint(SkipKind kind) {
      throw new AssertionError("found " + kind);
    }

    @Override
    public void withoutPoint() {}

    @Override
    public void skipped(Count reason) {
      throw new AssertionError("found " + reason);
    }

    @Override
    public boolean at(Position position) {
      return values.size() < stopAfter;
    }
  }

  private void read(byte[] bytes, Points points) throws Exception {
    IdleThreads idle = new IdleThreads(HELPERS + 1);
    List<Thread> helpers = new ArrayList<>();
    for (int i = 0; i < HELPERS; i++) {
      Thread helper =
          new Thread(
              () -> {
                idle.leave();
                idle.help();
              });
      helper.start();
      helpers.add(helper);
    }
    Random random = new Random(Seed.VALUE);
    BlockSource blocks = Format.OPENTSDB.blocks(new ByteArrayInputStream(bytes), Position.START);
    BlockSource slow =
        block -> {
          holdUp(random);
          return blocks.next(block);
        };
    BlockPipeline pipeline = new BlockPipeline(idle, slow, WatchedParser::new, true);
    AtomicBoolean ended = new AtomicBoolean();
    Thread impatient = new Thread(() -> helpAtOnce(idle, pipeline, ended));
    impatient.start();
    try {
      pipeline.read(Position.START, points);
    } finally {
      ended.set(true);
      idle.leave();
      impatient.join();
      for (Thread helper : helpers) {
        helper.join();
      }
    }
  }

  /** Looks for work without a pause, to find each moment at which the lock is free. */
  private static void helpAtOnce(IdleThreads idle, BlockPipeline pipeline, AtomicBoolean ended) {
    while (!ended.get()) {
      Runnable job;
      synchronized (idle.lock) {
        job = pipeline.job();
      }
      if (job != null) {
        job.run();
      }
    }
  }

  @Test
  void eachBlockIsParsedOnceAndInOrder() throws Exception {
    for (int round = 0; round < Seed.times(40, 200); round++) {
      Points points = new Points();
      read(text, points);
      assertThat(points.values).hasSize(LINES);
      for (int i = 0; i < LINES; i++) {
        if (points.values.get(i) != i) {
          throw new AssertionError(
              "point " + i + " must be " + i + ", found " + points.values.get(i));
        }
      }
    }
    assertThat(twice).hasValue(0);
  }

  @Test
  void aHandlerThatStopsOrBreaksEndsAllThreads() throws Exception {
    Points stops = new Points();
    stops.stopAfter = 30_000;
    read(text, stops);
    assertThat(stops.values).hasSizeBetween(30_000, 60_000);
    Points broken = new Points();
    broken.breaks = true;
    assertThatThrownBy(() -> read(text, broken)).hasMessage("the handler breaks");
    assertThat(broken.values).hasSize(50_000);
  }

  /** Rejects of short lines take many times the memory of their text. */
  @Test
  void blocksThatAreTooLargeForABatchAreParsedByTheReader() throws Exception {
    byte[] bad = "x\n".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    Points points = new Points();
    read(bad, points);
    assertThat(points.rejects).hasSize(1 << 20);
    assertThat(points.rejects.get(points.rejects.size() - 1)).isEqualTo(1 << 20);
    assertThat(points.rejects).isSorted();
  }
}
