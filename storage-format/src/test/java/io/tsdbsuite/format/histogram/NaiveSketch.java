package io.tsdbsuite.format.histogram;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The format of docs/histogram-codec.md, written down as it is read, for a bound of 1 %. */
final class NaiveSketch {
  private final SortedMap<Integer, Long> negative = new TreeMap<>();
  private final SortedMap<Integer, Long> positive = new TreeMap<>();
  private long zeros;

  static int index(double value) {
    boolean subnormal = value < Double.MIN_NORMAL;
    double scaled = subnormal ? value * Math.pow(2, 54) : value;
    int x = Math.getExponent(scaled);
    double s = scaled / Math.pow(2, x) - 1;
    double m = 7 / (10 * StrictMath.log(1.01 / 0.99));
    double exponent = subnormal ? x - 54 : x;
    return (int) Math.floor(m * (exponent + s * (10.0 / 7 + s * (-3.0 / 5 + s * (6.0 / 35)))));
  }

  void add(double... values) {
    for (double value : values) {
      if (value == 0) {
        zeros++;
      } else if (!Double.isNaN(value)) {
        (value > 0 ? positive : negative).merge(index(Math.abs(value)), 1L, Long::sum);
      }
    }
  }

  byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(1);
    out.write(10);
    varint(out, zeros);
    bins(out, negative);
    bins(out, positive);
    return out.toByteArray();
  }

  private static void bins(ByteArrayOutputStream out, SortedMap<Integer, Long> bins) {
    varint(out, bins.size());
    Integer last = null;
    for (Map.Entry<Integer, Long> bin : bins.entrySet()) {
      int index = bin.getKey();
      if (last == null) {
        varint(out, index >= 0 ? 2L * index : -2L * index - 1);
      } else {
        varint(out, index - last - 1);
      }
      varint(out, bin.getValue());
      last = index;
    }
  }

  private static void varint(ByteArrayOutputStream out, long number) {
    if (number > 127) {
      out.write((int) (128 + number % 128));
      varint(out, number / 128);
    } else {
      out.write((int) number);
    }
  }
}
