package io.tsdbsuite.bulk.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellTimestampsTest {
  private static final long NOW = 1_700_000_000_000L;
  private static final long BASE = 1_600_000_200L - 1_600_000_200L % 3600;
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(NOW));
  private static final StorageSchema PLAIN = StorageSchema.defaults();
  private static final StorageSchema DATED =
      StorageSchema.from(TsdConfig.parse("tsd.storage.use_otsdb_timestamp = true"));
  private static final RowKey KEYS = new RowKey(PLAIN);

  private static EncodedRow row(long newestMillis) {
    byte[] key = KEYS.encode(new byte[] {0, 0, 1}, BASE, new byte[] {0, 0, 1, 0, 0, 1});
    return new EncodedRow(key, new byte[] {0, 0}, new byte[] {1}, 1, newestMillis);
  }

  @Test
  void nowIsTheDefaultAndStaysTheSame() {
    CellTimestamps stamps = CellTimestamps.of(null, PLAIN, CLOCK);
    assertThat(stamps.of(row(BASE * 1000), KEYS)).isEqualTo(NOW);
    assertThat(stamps.areDataTime()).isFalse();
    assertThat(stamps.mayBeHidden()).isFalse();
    CellTimestamps restored = CellTimestamps.restore(stamps.text());
    assertThat(restored.of(row(BASE * 1000), KEYS)).isEqualTo(NOW);
    assertThat(restored.text()).isEqualTo(stamps.text());
  }

  @Test
  void dataIsTheNewestPointWithinTheHour() {
    CellTimestamps stamps = CellTimestamps.of("data", PLAIN, CLOCK);
    assertThat(stamps.of(row(BASE * 1000 + 3_599_999), KEYS)).isEqualTo(BASE * 1000 + 3_599_999);
    assertThat(stamps.of(row(BASE * 1000 + 3_600_000), KEYS)).isEqualTo(BASE * 1000 + 3_599_999);
    assertThat(stamps.of(row(BASE * 1000 - 1), KEYS)).isEqualTo(BASE * 1000);
    assertThat(CellTimestamps.restore(stamps.text()).areDataTime()).isTrue();
  }

  @Test
  void anEpochIsTakenAsGiven() {
    CellTimestamps stamps = CellTimestamps.of("1500000000000", PLAIN, CLOCK);
    assertThat(stamps.of(row(BASE * 1000), KEYS)).isEqualTo(1_500_000_000_000L);
    assertThat(stamps.mayBeHidden()).isTrue();
    assertThat(CellTimestamps.restore(stamps.text()).of(row(0), KEYS))
        .isEqualTo(1_500_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "-5", "0", "1700000000001", "99999999999999999999"})
  void refusesWhatIsNoStampOfThePast(String option) {
    assertThatThrownBy(() -> CellTimestamps.of(option, PLAIN, CLOCK))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("--cell-timestamp must")
        .hasMessageContaining(option);
  }

  @Test
  void dateTieredInstallationsTakeData() {
    assertThat(CellTimestamps.of(null, DATED, CLOCK).areDataTime()).isTrue();
    assertThat(CellTimestamps.of("data", DATED, CLOCK).areDataTime()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"now", "1500000000000"})
  void dateTieredInstallationsRefuseOtherStamps(String option) {
    assertThatThrownBy(() -> CellTimestamps.of(option, DATED, CLOCK))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("tsd.storage.use_otsdb_timestamp");
  }
}
