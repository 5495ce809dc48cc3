package io.tsdbsuite.bench.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tsdbsuite.bench.loadtest.Sample.Requests;
import io.tsdbsuite.bench.measure.Samples;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class LoadTestTest {
  @Test
  void comparesAllRoundsTogether() {
    assertThat(LoadTest.tsdPerPoint(samples(1, 5)) / LoadTest.tsdPerPoint(samples(2, 2)))
        .isCloseTo(1.5, within(1e-9));
  }

  @Test
  void theBusiestSecondIsComparedWithTheMean() {
    Busiest busiest = new Busiest(100);
    assertThat(busiest.overMean()).isZero();

    for (long count : new long[] {110, 140, 140, 160}) {
      busiest.second(count);
    }

    assertThat(busiest.overMean()).isCloseTo(2, within(1e-9));
  }

  private static Samples<Sample> samples(double... tsdCpu) {
    Requests none = new Requests(0, 0);
    List<Sample> all =
        DoubleStream.of(tsdCpu)
            .mapToObj(cpu -> new Sample(1000, 0, 2, cpu, 0, 0, none, none, 0))
            .toList();
    return new Samples<>("off", all);
  }
}
