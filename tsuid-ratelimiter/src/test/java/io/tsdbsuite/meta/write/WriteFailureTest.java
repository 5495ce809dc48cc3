package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WriteFailureTest {
  @Test
  void aBadCounterIsTheSeriesOwnFault() {
    WriteFailure failure =
        WriteFailure.of(new RuntimeException(new BadCounterException(Series.of(1), 3)));
    assertThat(failure.isBadCounter()).isTrue();
    assertThat(failure.isAmbiguous()).isFalse();
    assertThat(failure.describe())
        .isEqualTo(
            "BadCounterException: ts_ctr of 000001000100000001 in the meta table must have 8"
                + " bytes, found 3: delete it, and the next write makes it anew");
  }

  @Test
  void saysWhatHappenedInOneLine() {
    assertThat(WriteFailure.of(new IllegalStateException("one\ntwo")).describe())
        .isEqualTo("IllegalStateException: one");
    assertThat(WriteFailure.of(new IllegalStateException("x".repeat(1000))).describe())
        .hasSizeLessThan(400);
  }
}
