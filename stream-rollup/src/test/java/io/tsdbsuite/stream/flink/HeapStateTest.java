package io.tsdbsuite.stream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.api.common.state.ValueState;
import org.junit.jupiter.api.Test;

class HeapStateTest {
  /** Under another name the job would still be right, and slower. */
  @Test
  void flinkHasTheStateOfThisName() throws Exception {
    assertThat(ValueState.class).isAssignableFrom(Class.forName(RollupFunction.HEAP_STATE));
  }
}
