package io.tsdbsuite.format.meta;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.Hex;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** MetaRowsIT of bulk-loader compares these bytes with a TSD's. */
class TsMetaRowTest {
  @Test
  void jsonHasEveryFieldInOrder() {
    byte[] json = TsMetaRow.json(Hex.bytes("0000010000abfffe01"), 1600000000L);

    assertThat(new String(json, StandardCharsets.ISO_8859_1))
        .isEqualTo(
            "{\"tsuid\":\"0000010000ABFFFE01\",\"displayName\":\"\",\"description\":\"\","
                + "\"notes\":\"\",\"created\":1600000000,\"custom\":null,\"units\":\"\","
                + "\"dataType\":\"\",\"retention\":0,\"max\":\"NaN\",\"min\":\"NaN\"}");
  }

  @Test
  void countersAreLongs() {
    assertThat(Hex.of(TsMetaRow.counter(0x0102))).isEqualTo("0000000000000102");
    assertThat(new String(TsMetaRow.family(), StandardCharsets.US_ASCII)).isEqualTo("name");
    assertThat(new String(TsMetaRow.metaQualifier(), StandardCharsets.US_ASCII))
        .isEqualTo("ts_meta");
    assertThat(new String(TsMetaRow.counterQualifier(), StandardCharsets.US_ASCII))
        .isEqualTo("ts_ctr");
  }
}
