package io.tsdbsuite.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.synthetic.row.SyntheticRow;
import io.tsdbsuite.synthetic.row.SyntheticRows;
import io.tsdbsuite.synthetic.text.LineFormat;
import io.tsdbsuite.synthetic.text.LineOrder;
import io.tsdbsuite.synthetic.text.SyntheticText;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Equal options make equal bytes in every version: users load text that an earlier version has
 * generated, and verify it with this one.
 */
class PinnedOutputTest {
  private static final byte[] EDGE = {};

  @Test
  void textIsTheSameInEveryVersion() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      for (SyntheticShape shape : shapes()) {
        for (LineFormat format : LineFormat.values()) {
          for (LineOrder order : LineOrder.values()) {
            SyntheticText text = new SyntheticText(shape, format, order, 77);
            text.write(out, 0, text.lines());
          }
        }
      }
    }
    assertThat(HexFormat.of().formatHex(digest.digest()))
        .isEqualTo("5b24ef6076b8af1c7f7e14a1f2bd99e28e79471139879c54664666e37adaf3cd");
  }

  @Test
  void rowsAreTheSameInEveryVersion() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (StorageSchema schema : List.of(StorageSchema.defaults(), Shapes.SALTED)) {
      for (SyntheticShape shape : shapes()) {
        SyntheticRows rows =
            new SyntheticRows(shape, new RowKey(schema), Shapes.templates(shape, schema));
        SyntheticRows.Source source = rows.open(EDGE, EDGE);
        for (SyntheticRow row = source.next(); row != null; row = source.next()) {
          digest.update(row.key());
          digest.update(row.qualifier());
          digest.update(row.value());
          digest.update(
              ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                  .putInt(row.points())
                  .putLong(row.newestMillis())
                  .array());
        }
      }
    }
    assertThat(HexFormat.of().formatHex(digest.digest()))
        .isEqualTo("e9e15abcb9c3a1f6c6bfa799b460e3c0c456184d2f2e5582793ec6b551ab8fed");
  }

  private static List<SyntheticShape> shapes() {
    return Arrays.stream(ValueShape.values())
        .flatMap(
            values ->
                Stream.of(
                    Shapes.of(values, 7_000, Duration.ofHours(2), 0),
                    Shapes.of(values, 15_000, Duration.ofHours(2), 14_999),
                    Shapes.of(values, 1_500, Duration.ofMinutes(61), 0)))
        .toList();
  }
}
