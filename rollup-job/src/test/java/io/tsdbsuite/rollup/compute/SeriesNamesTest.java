package io.tsdbsuite.rollup.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.uid.UidNames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A series is named only by names that are its UIDs' own. */
class SeriesNamesTest {

  /** UIDs from 8 on have the name of another one; 0 has none. */
  private static final class Names implements UidNames {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean lookup(UidKind kind, long uid, ByteSlice out) {
      if (uid == 0 || uid >= 8) {
        return false;
      }
      out.set((kind.qualifier() + uid).getBytes(StandardCharsets.ISO_8859_1));
      return true;
    }

    @Override
    public String foreignName(UidKind kind, long uid) {
      return uid >= 8 ? kind.qualifier() + (uid - 8) : null;
    }
  }

  private final RowKey rowKey = new RowKey(StorageSchema.defaults());
  private final SeriesNames names = new SeriesNames(rowKey, new Names());

  private String resolve(int metric, int tagk, int tagv) {
    byte[] key =
        rowKey.encode(
            new byte[] {0, 0, (byte) metric}, 0, new byte[] {0, 0, (byte) tagk, 0, 0, (byte) tagv});
    return names.resolve(key, 0, key.length, new RollupPoint());
  }

  @Test
  void theReasonTellsANameOfAnotherFromNone() {
    assertThat(resolve(1, 1, 1)).isNull();
    assertThat(resolve(1, 1, 9))
        .isEqualTo(
            "the UID table has name 'tagv1' for tagv UID 9, but maps that name to another UID or"
                + " to none");
    assertThat(names.reason()).isEqualTo(FailReason.FOREIGN_NAME);
    assertThat(resolve(1, 0, 9)).isEqualTo("the UID table has no name for tagk UID 0");
    assertThat(names.reason()).isEqualTo(FailReason.UNRESOLVED_UID);
    assertThat(resolve(9, 1, 1)).contains("name 'metrics1' for metrics UID 9");
  }

  @Test
  void metricsThatAreNotWantedDoNotMatter() {
    MetricSelector selector =
        new MetricSelector(MetricPatterns.of(List.of("metrics1")), new Names());
    assertThat(selector.excludes(1)).isFalse();
    assertThat(selector.excludes(2)).isTrue();
    assertThat(selector.excludes(9)).isFalse();
    assertThat(selector.excludes(10)).isTrue();
    assertThat(selector.excludes(0)).isFalse();
    assertThat(selector.floor(1)).isZero();
  }

  /** Also by a name that is another UID's; one without a name may be any of them. */
  @Test
  void theFloorOfAMetricIsThatOfItsName() {
    RawFloors floors =
        new RawFloors(
            true,
            List.of(
                new RawFloors.Floor("metrics2", 3 * 86400),
                new RawFloors.Floor("metrics1", 86400)));
    MetricSelector selector = new MetricSelector(MetricPatterns.all(), floors, new Names());
    assertThat(selector.floor(1)).isEqualTo(86400);
    assertThat(selector.floor(2)).isEqualTo(3 * 86400);
    assertThat(selector.floor(3)).isZero();
    assertThat(selector.floor(9)).isEqualTo(86400);
    assertThat(selector.floor(0)).isEqualTo(3 * 86400);
    assertThat(selector.excludes(0)).isFalse();
  }
}
