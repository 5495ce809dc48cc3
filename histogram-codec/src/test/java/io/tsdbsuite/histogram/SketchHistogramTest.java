package io.tsdbsuite.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tsdbsuite.format.histogram.Sketch;
import java.lang.management.ManagementFactory;
import net.opentsdb.core.Histogram;
import net.opentsdb.core.HistogramAggregation;
import org.junit.jupiter.api.Test;

class SketchHistogramTest {
  private final SketchCodec codec = new SketchCodec();

  /** A query decodes each cell that it reads: no sketch is built of it. */
  @Test
  void aDecodedCellTakesLittleMoreThanItsBytes() {
    Sketch wide = new Sketch();
    wide.add(-Double.MAX_VALUE);
    wide.add(Double.MIN_VALUE);
    wide.add(Double.MAX_VALUE);
    byte[] bytes = wide.bytes();
    Histogram decoded = codec.decode(bytes, false);
    assertThat(decoded.histogram(false)).isEqualTo(bytes);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    // The JIT compiler may allocate too, so the best of several rounds counts.
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      codec.decode(bytes, false);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).isLessThan(500);
    decoded.aggregate(new SketchHistogram(0), HistogramAggregation.SUM);
    assertThat(decoded.histogram(false)).isEqualTo(bytes);
    assertThat(new SketchHistogram(0).histogram(false)).isEqualTo(new Sketch().bytes());
  }
}
