package io.tsdbsuite.format.uid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.Hex;
import io.tsdbsuite.format.uid.UidRow.Column;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UidRowTest {
  private static byte[] padded(String text) {
    return ("#" + text + "#").getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource({
    "000001, id, metrics, FORWARD",
    "000001, name, metrics, REVERSE",
    "000001, name, tagk, REVERSE",
    "000001, name, metric_meta, META",
    "000001, name, tagv_meta, META",
    "000001, name, metrics_meta, OTHER",
    "000001, id, metric_meta, OTHER",
    "00, id, tagv, COUNTER",
    "00, name, tagv, REVERSE",
    "0000, id, tagv, FORWARD",
    "30, id, tagv, FORWARD",
    "000001, id, plugin, OTHER",
    "000001, ix, metrics, OTHER"
  })
  void columns(String row, String family, String qualifier, Column column) {
    byte[] key = Hex.bytes("ff" + row + "ff");
    byte[] q = padded(qualifier);
    assertThat(
            UidRow.column(
                key, 1, key.length - 2, padded(family), 1, family.length(), q, 1, q.length - 2))
        .isEqualTo(column);
  }

  @Test
  void kinds() {
    for (UidKind kind : UidKind.values()) {
      byte[] q = kind.qualifierBytes();
      byte[] meta = UidRow.metaQualifier(kind).getBytes(StandardCharsets.ISO_8859_1);
      assertThat(UidRow.kind(q, 0, q.length)).isEqualTo(kind);
      assertThat(UidRow.kind(meta, 0, meta.length)).isEqualTo(kind);
    }
    assertThat(UidRow.kind(new byte[] {'x'}, 0, 1)).isNull();
    assertThat(Hex.of(UidRow.counterRow())).isEqualTo("00");
    assertThat(new String(UidRow.idFamily(), StandardCharsets.US_ASCII)).isEqualTo("id");
    assertThat(new String(UidRow.nameFamily(), StandardCharsets.US_ASCII)).isEqualTo("name");
  }

  @Test
  void namesAreLatin1() {
    byte[] bytes = UidName.encode("caf\u00e9");

    assertThat(Hex.of(bytes)).isEqualTo("636166e9");
    assertThat(UidName.decode(bytes, 2, 2)).isEqualTo("f\u00e9");
    assertThatThrownBy(() -> UidName.encode("\u4e2d\u6587")).hasMessageContaining("U+4E2D");
    assertThatThrownBy(() -> UidName.encode("")).hasMessageContaining("empty");
  }

  @ParameterizedTest
  @CsvSource({"sys.cpu-0/user_1", "caf\u00e9", "A"})
  void goodNames(String name) {
    assertThat(UidName.problem(name, "")).isNull();
  }

  @Test
  void namesFitInARowKey() {
    String longest = "x".repeat(32767);
    assertThat(UidName.encode(longest)).hasSize(32767);
    assertThat(UidName.problem(longest, "")).isNull();
    assertThat(UidName.problem(longest + "x", "")).contains("32767 bytes", "found 32768");
    assertThatThrownBy(() -> UidName.encode(longest + "x")).hasMessageContaining("found 32768");
  }

  @Test
  void badNames() {
    assertThat(UidName.problem(null, "")).contains("empty");
    assertThat(UidName.problem("", "")).contains("empty");
    assertThat(UidName.problem("a b", "")).contains("found ' ' in 'a b'");
    assertThat(UidName.problem("a:b", ":")).isNull();
    assertThat(UidName.problem("\u4e2d", "")).contains("U+4E2D");
    assertThat(UidName.problem("\u4e2d", "\u4e2d")).contains("U+4E2D");
  }
}
