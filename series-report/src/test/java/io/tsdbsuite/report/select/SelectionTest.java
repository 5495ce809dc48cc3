package io.tsdbsuite.report.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.report.model.UidNames;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelectionTest {
  /** Every name is a number, the UID. */
  private static final UidNames NUMBERS =
      new UidNames() {
        @Override
        public void load(UidKind kind, Set<Long> uids) {}

        @Override
        public String name(UidKind kind, long uid) {
          return Long.toString(uid);
        }

        @Override
        public Long uid(UidKind kind, String name) {
          return Long.valueOf(name);
        }
      };

  private static Selection metric(long uid) {
    return new Selection(new TsuidLayout(2, 1, 1), NUMBERS, Long.toString(uid), Map.of());
  }

  @Test
  void aMetricIsARangeOfRows() {
    assertThat(metric(7).startRow()).containsExactly(0, 7);
    assertThat(metric(7).stopRow()).containsExactly(0, 8);
    assertThat(metric(0x01FF).stopRow()).containsExactly(2, 0);
    assertThat(metric(0xFFFF).stopRow()).isEmpty();
  }
}
