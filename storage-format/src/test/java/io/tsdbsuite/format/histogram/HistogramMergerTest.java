package io.tsdbsuite.format.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.Hex;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** SimpleHistogram's bytes against OpenTSDB's class: HistogramContractTest of storage-contract. */
class HistogramMergerTest {
  private static HistogramMerger of(String codec) {
    return Objects.requireNonNull(HistogramMerger.of(codec));
  }

  private static void add(HistogramMerger merger, String hex) {
    byte[] bytes = Hex.bytes(hex);
    merger.add(bytes, 0, bytes.length);
  }

  @Test
  void byClassNameOfTheCodec() {
    assertThat(HistogramMerger.of("com.example.Codec")).isNull();
    HistogramMerger sketches = of("io.tsdbsuite.histogram.SketchCodec");
    add(sketches, "010a01015c01020002bb0101");
    add(sketches, "010a0000010103");
    assertThat(Hex.of(sketches.bytes()))
        .isEqualTo("010a01015c0103010300 02bb0101".replace(" ", ""));
    sketches.clear();
    assertThat(Hex.of(sketches.bytes())).isEqualTo("010a000000");
  }

  @Test
  void simpleHistograms() {
    HistogramMerger merger = of("net.opentsdb.core.SimpleHistogramDecoder");
    add(merger, "0002 3f80000040000000ac02 000000003f80000005 00 01");
    add(merger, "0001 000000003f8000007b 02 7f");
    assertThat(Hex.of(merger.bytes()))
        .isEqualTo(Hex.of(Hex.bytes("0002 000000003f8000008001 3f80000040000000ac02 02 8001")));
    byte[] before = merger.bytes();
    for (String refused :
        new String[] {
          "", "00000000", "ffff0000000000", "0001 000000003f800000 05 00", "0001 0000"
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> add(merger, refused))
          .withMessageContaining("found");
    }
    assertThat(merger.bytes()).isEqualTo(before);
    merger.clear();
    assertThat(Hex.of(merger.bytes())).isEqualTo("00000000");
  }

  @Test
  void bucketsAsTextBecomeASimpleHistogram() {
    Map<String, Long> buckets = new LinkedHashMap<>();
    buckets.put("1,2", 300L);
    buckets.put(" 0.0 ,1e0", 5L);
    buckets.put("1.0,2.0", -1L);
    // Of two buckets with the same bounds the last counts, as in a TSD.
    assertThat(Hex.of(HistogramMerger.simple(buckets, 7, 128)))
        .isEqualTo(
            Hex.of(
                Hex.bytes("0002 000000003f80000005 3f80000040000000ffffffffffffffffff 07 8001")));
    for (String refused : new String[] {"", "1", "1,", "1,2,3", "a,b"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> HistogramMerger.simple(Collections.singletonMap(refused, 1L), 0, 0));
    }
    for (int i = 0; i <= Short.MAX_VALUE; i++) {
      buckets.put(i + "," + (i + 1), 1L);
    }
    assertThat(HistogramMerger.simple(buckets, 0, 0)).isEmpty();
  }

  @Test
  void moreBucketsThanTheFormatHas() {
    HistogramMerger merger = of("net.opentsdb.core.SimpleHistogramDecoder");
    int n = 20_000;
    for (int sign = -1; sign <= 1; sign += 2) {
      ByteBuffer bytes = ByteBuffer.allocate(2 + 9 * n + 2);
      bytes.putShort((short) n);
      for (int i = 0; i < n; i++) {
        bytes.putFloat(sign * (i + 1)).putFloat(sign * (i + 1) + 1).put((byte) 1);
      }
      merger.add(bytes.array(), 0, bytes.capacity());
    }
    assertThatThrownBy(merger::bytes)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a SimpleHistogram must have at most 32767 buckets, found 40000");

    // Others of other bounds take no memory.
    long memory = merger.memory();
    assertThat(memory).isBetween(60_000L * 80, 60_000L * 120);
    for (int i = 0; i < 50; i++) {
      ByteBuffer bytes = ByteBuffer.allocate(2 + 9 * n + 2).putShort((short) n);
      for (int k = 0; k < n; k++) {
        bytes.putFloat(k).putFloat(k + 0.5f / (i + 1)).put((byte) 1);
      }
      merger.add(bytes.array(), 0, bytes.capacity());
    }
    assertThat(merger.memory()).isEqualTo(memory);
    merger.clear();
    add(merger, "0001 000000003f8000007b 02 7f");
    assertThat(merger.memory()).isLessThan(1000);
    assertThat(Hex.of(merger.bytes())).isEqualTo("0001000000003f8000007b027f");
  }
}
