package io.tsdbsuite.bulk.group;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationTest {
  private static final long HOUR = 1_600_041_600L;
  private static final int POINTS = 200_000;

  @TempDir Path directory;

  @Test
  void aPointAllocatesNothing() throws Exception {
    TestLoad load = new TestLoad(directory, "", OnConflict.LAST);
    Grouper grouper = load.grouper();
    SeriesText[] texts = new SeriesText[50];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = TestSeries.text("m", "host=" + i);
    }
    grouper.begin(ReadCheckpoint.start(0));
    grouper.part(0, "f", Position.START);
    // Takes the memory that the points after the spill find ready.
    add(grouper, texts);
    grouper.spill();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    long before = threads.getCurrentThreadAllocatedBytes();
    add(grouper, texts);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(allocated).isLessThan(POINTS / 4);
  }

  private static void add(Grouper grouper, SeriesText[] texts) throws Exception {
    for (int i = 0; i < POINTS; i++) {
      SeriesText text = texts[i % texts.length];
      long time = HOUR + i / texts.length;
      if (i % 2 == 0) {
        grouper.integer(text, time, i);
      } else {
        grouper.floating(text, time * 1000 + 5, i * 0.1);
      }
    }
  }
}
