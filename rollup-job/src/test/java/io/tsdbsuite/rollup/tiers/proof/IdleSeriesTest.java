package io.tsdbsuite.rollup.tiers.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleSeriesTest {
  private static final RowKey KEYS =
      new RowKey(StorageSchema.from(TsdConfig.parse("tsd.storage.salt.width=1")));

  /** Metrics 1 and 255; a series with two tags, whose first is a series, too. */
  private static final List<String> TSUIDS =
      List.of(
          "000001000001000001",
          "000001000001000001000002000001",
          "000001000001000002",
          "0000ff000001000001");

  private static IdleSeries series(List<String> tsuids) {
    IdleSeries.Builder builder = new IdleSeries.Builder();
    tsuids.forEach(
        tsuid -> assertThat(builder.add(HexFormat.of().parseHex(tsuid))).as(tsuid).isTrue());
    return builder.build();
  }

  private static byte[] bytes(IdleSeries series) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    series.writeTo(bytes);
    return bytes.toByteArray();
  }

  /** A row of a series, between other bytes. */
  private static boolean contains(IdleSeries series, String tsuid, String time) {
    String row = "07" + tsuid.substring(0, 6) + time + tsuid.substring(6);
    byte[] key = HexFormat.of().parseHex("ffff" + row + "ff");
    return series.contains(key, 2, key.length - 3, KEYS);
  }

  @Test
  void itHasItsSeriesAtAnyTimeAndNoOther() {
    IdleSeries series = series(TSUIDS);
    assertThat(series.count()).isEqualTo(4);
    for (String time : List.of("00000000", "6a000000", "ffffffff")) {
      assertThat(TSUIDS).allMatch(tsuid -> contains(series, tsuid, time));
      assertThat(
              List.of(
                  "000000000001000001",
                  "000001",
                  "000001000001",
                  "000001000001000001000002000002",
                  "000001000001000001000002000001000003000001",
                  "000001000001000003",
                  "0000fe000001000001",
                  "0000ff000001000002",
                  "ffffff000001000001"))
          .noneMatch(tsuid -> contains(series, tsuid, time));
    }
    assertThat(contains(series(List.of()), TSUIDS.get(0), "00000000")).isFalse();
  }

  @Test
  void theFileIsLiteral() throws IOException {
    IdleSeries series = series(TSUIDS.subList(0, 2));
    byte[] file = bytes(series);
    assertThat(HexFormat.of().formatHex(file))
        .isEqualTo(
            "7473646269646c65"
                + "00000001"
                + "00000002"
                + "0009000001000001000001"
                + "000f000001000001000001000002000001");
    IdleSeries read = IdleSeries.of("s", file);
    assertThat(read.sha256()).isEqualTo(series.sha256()).hasSize(64);
    assertThat(read.count()).isEqualTo(2);
    assertThat(TSUIDS.subList(0, 2)).allMatch(tsuid -> contains(read, tsuid, "6a000000"));
  }

  @Test
  void itHasAtMostFiveMillion() {
    IdleSeries.Builder builder = new IdleSeries.Builder();
    byte[] tsuid = new byte[9];
    boolean fits = true;
    for (int i = 0; i < 5_000_000; i++) {
      Uids.write(i, tsuid, 5, 4);
      fits &= builder.add(tsuid);
    }
    assertThat(fits).isTrue();
    assertThat(builder.add(new byte[] {1})).isFalse();
    assertThat(builder.build().count()).isEqualTo(5_000_000);
  }

  @Test
  void aDamagedFileIsRefused() throws IOException {
    byte[] file = bytes(series(TSUIDS));
    for (int length = 0; length < file.length; length++) {
      refused(Arrays.copyOf(file, length), "");
    }
    refused(Arrays.copyOf(file, file.length + 1), "must end after 4 series, at 66 bytes, found 67");
    // Magic, format, and counts; the bytes of a TSUID are guarded by the hash in the proof.
    for (int at = 0; at < 16; at++) {
      byte[] changed = file.clone();
      changed[at] ^= 1;
      refused(changed, "");
    }
    byte[] twice = bytes(series(TSUIDS.subList(0, 3)));
    System.arraycopy(twice, 16, twice, 16 + 11 + 17, 11);
    refused(twice, "must have its series in ascending order, found others at 2");
    byte[] empty = file.clone();
    empty[17] = 0;
    refused(empty, "must have 4 series, found a damaged one after 0");
  }

  private static void refused(byte[] file, String message) {
    assertThatThrownBy(() -> IdleSeries.of("s", file))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("the file of idle series s must ")
        .hasMessageContaining(message)
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
  }
}
