package io.tsdbsuite.bulk.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.RandomRuns;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.report.RejectLimits;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.spark.JavaBytes;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

class UnitRecordsTest {
  @TempDir Path dir;

  private static LoadPlan plan(OnConflict onConflict) {
    TsdConfig config = TsdConfig.parse("tsd.storage.salt.width = 1");
    LoadPlan plan =
        new LoadPlan(
            "load1",
            config,
            StorageSchema.from(config),
            HBaseAddress.from(config),
            ParseOptions.DEFAULT,
            InfluxChoice.NONE,
            RejectLimits.ZERO,
            new WriteSettings(
                Mode.HFILE,
                WalMode.SKIP,
                0,
                "file:///none",
                "data",
                onConflict,
                true,
                true,
                true,
                true,
                ""),
            "data",
            Long.MAX_VALUE,
            true,
            List.of(new CoverageFloor("raw", "w", 1_600_045_200, "*", "a proof", 1)),
            "file:///none/_rejected",
            1);
    return JavaBytes.read(JavaBytes.of(plan), LoadPlan.class);
  }

  private RandomRuns runs() throws IOException {
    long seed = Seed.VALUE;
    System.out.println("seed " + seed);
    return new RandomRuns(dir, OnConflict.FIRST, new Random(seed), 1, 3_000, 100);
  }

  private static UnitResult result(UnitRecords records, Tally tally) {
    return new UnitResult(
        1,
        tally,
        new Tally(),
        records.metrics(),
        List.of(),
        List.of(),
        records.oldestMillis(),
        records.below(),
        Map.of(),
        Set.of(),
        records.failure(),
        true);
  }

  @Test
  void hoursThenSeriesThenBooks() throws IOException {
    RandomRuns runs = runs();
    SpilledRows rows = new SpilledRows(runs.runs(), OnConflict.FIRST, runs.rowKey(), 1 << 20);
    long oldest = Long.MAX_VALUE;
    byte[] all = {};
    try (RowSource source = rows.open(all, all)) {
      for (EncodedRow row = source.next(); row != null; row = source.next()) {
        oldest = Math.min(oldest, row.newestMillis());
      }
    }
    Tally tally = new Tally();
    byte kind = ShuffleKey.ROW;
    long points = 0;
    UnitResult result = null;
    Set<ByteBuffer> keys = new HashSet<>();
    try (UnitRecords records =
        new UnitRecords(plan(OnConflict.FIRST), 4, rows, tally, ended -> result(ended, tally))) {
      while (records.hasNext()) {
        Tuple2<byte[], byte[]> record = records.next();
        assertThat(ShuffleKey.kind(record._1())).isGreaterThanOrEqualTo(kind);
        kind = ShuffleKey.kind(record._1());
        assertThat(ShuffleKey.unit(record._1())).isEqualTo(4);
        assertThat(keys.add(ByteBuffer.wrap(record._1()))).as("an order of pieces").isTrue();
        if (kind == ShuffleKey.SERIES) {
          points += ByteBuffer.wrap(record._2()).getLong();
        } else if (kind == ShuffleKey.BOOKS) {
          assertThat(result).isNull();
          result = JavaBytes.read(record._2(), UnitResult.class);
        }
      }
    }
    assertThat(points).isPositive();
    assertThat(result.units()).isEqualTo(1);
    assertThat(result.read()).isTrue();
    assertThat(result.failure()).isNull();
    assertThat(result.oldestMillis()).isEqualTo(oldest);
    assertThatThrownBy(result.below()::require)
        .hasMessageContainingAll("points of metric metric.", "before 2020-09-14T01:00:00Z");
  }

  @Test
  void aUnitThatIsRefusedOnTheWayEndsWithItsBooks() throws IOException {
    RandomRuns runs = runs();
    // Spills were settled by FIRST; between them there are contradictions left.
    SpilledRows rows = new SpilledRows(runs.runs(), OnConflict.FAIL, runs.rowKey(), 1 << 20);
    Tally tally = new Tally();
    byte[] last = null;
    UnitResult result = null;
    try (UnitRecords records =
        new UnitRecords(plan(OnConflict.FAIL), 4, rows, tally, ended -> result(ended, tally))) {
      while (records.hasNext()) {
        Tuple2<byte[], byte[]> record = records.next();
        last = record._1();
        if (ShuffleKey.kind(last) == ShuffleKey.BOOKS) {
          assertThat(result).isNull();
          result = JavaBytes.read(record._2(), UnitResult.class);
        }
      }
    }
    assertThat(ShuffleKey.kind(last)).isEqualTo(ShuffleKey.BOOKS);
    assertThat(result.failure().exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.failure().message()).contains("--on-conflict").contains("metric.");
  }
}
