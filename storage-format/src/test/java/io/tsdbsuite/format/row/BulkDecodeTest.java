package io.tsdbsuite.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bulk decoding gives the same bits as decoding one value at a time. */
class BulkDecodeTest {
  private static final int CELLS = 20_000;
  private static final double[] DOUBLES = {
    0.0, -0.0, Double.NaN, Double.MIN_VALUE, -Double.MAX_VALUE, Double.POSITIVE_INFINITY, 0.1
  };
  private static final float[] FLOATS = {
    0f, -0f, Float.NaN, Float.MIN_VALUE, -Float.MAX_VALUE, Float.NEGATIVE_INFINITY, 0.1f
  };
  private static final long[] INTEGERS = {
    0, -1, 1, 127, -128, 128, 32767, -32768, 32768, 1L << 31, (1L << 53) + 1, Long.MIN_VALUE
  };

  @Test
  void compactedAndAppendCells() throws Exception {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    PointBuffer points = new PointBuffer();
    PointBuffer decoded = new PointBuffer();
    for (int i = 0; i < CELLS; i++) {
      points.clear();
      fill(points, random);
      decoded.clear();
      if (random.nextInt(3) == 0) {
        decoded.addDouble(0, false, 7.5);
        // Values converted before must not change.
        assertThat(decoded.doubles()[0]).isEqualTo(7.5);
      }
      int before = decoded.size();
      decode(points, decoded, random);
      assertThat(decoded.size()).as("seed %s, cell %s", seed, i).isEqualTo(before + points.size());
      for (int p = 0; p < points.size(); p++) {
        assertSame(points, p, decoded, before + p, "seed " + seed + ", cell " + i);
      }
    }
  }

  private static void fill(PointBuffer points, Random random) {
    int n = 2 + random.nextInt(30);
    // Bit n set: type n may occur. Cells of one type take a separate path.
    int types = 1 + random.nextInt(63);
    for (int p = 0; p < n; p++) {
      int type = random.nextInt(6);
      while ((types >> type & 1) == 0) {
        type = random.nextInt(6);
      }
      boolean millis = random.nextInt(8) == 0;
      add(points, p * 1000 + (millis ? 1 : 0), millis, type, random);
    }
  }

  private static void add(PointBuffer points, int offset, boolean millis, int type, Random random) {
    boolean special = random.nextBoolean();
    switch (type) {
      case 4:
        points.addFloat(
            offset, millis, special ? FLOATS[random.nextInt(FLOATS.length)] : random.nextFloat());
        break;
      case 5:
        points.addDouble(
            offset,
            millis,
            special ? DOUBLES[random.nextInt(DOUBLES.length)] : random.nextDouble());
        break;
      default:
        // Also wider than needed: only the stored width counts.
        points.add(
            offset,
            millis,
            false,
            1 << type,
            special ? INTEGERS[random.nextInt(INTEGERS.length)] : random.nextLong());
        break;
    }
  }

  /** Decodes from the middle of an array, or up to its end. */
  private static void decode(PointBuffer points, PointBuffer into, Random random)
      throws CorruptCellException {
    boolean append = random.nextBoolean();
    byte[] q = append ? AppendCell.qualifier() : CompactedCell.encode(points).qualifier();
    byte[] v = append ? AppendCell.encode(points) : CompactedCell.encode(points).value();
    int meta = append ? 0 : random.nextInt(2);
    int off = random.nextInt(9);
    byte[] block = new byte[off + v.length - meta + (random.nextBoolean() ? 0 : 20)];
    random.nextBytes(block);
    System.arraycopy(v, 0, block, off, v.length - meta);
    byte[] before = block.clone();
    if (append) {
      AppendCell.decode(q, 0, q.length, block, off, v.length, into);
    } else {
      CompactedCell.decode(q, 0, q.length, block, off, v.length - meta, into);
    }
    assertThat(Arrays.equals(block, before)).isTrue();
  }

  private static void assertSame(
      PointBuffer points, int p, PointBuffer decoded, int d, String what) {
    assertThat(decoded.offsetMillis(d)).as(what).isEqualTo(points.offsetMillis(p));
    assertThat(decoded.isMillis(d)).as(what).isEqualTo(points.isMillis(p));
    assertThat(decoded.flags(d)).as(what).isEqualTo(points.flags(p));
    assertThat(decoded.rawBits(d)).as(what).isEqualTo(points.rawBits(p));
    assertThat(Double.doubleToRawLongBits(decoded.doubles()[d]))
        .as(what)
        .isEqualTo(Double.doubleToRawLongBits(points.doubleValue(p)))
        .isEqualTo(Double.doubleToRawLongBits(points.doubles()[p]));
  }
}
