package io.tsdbsuite.bulk.write.it;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** The points of one row, ascending, and what a TSD should answer for them. */
final class Hour {
  final byte[] key;
  final long base;
  final PointBuffer points = new PointBuffer();
  final SortedMap<Long, Double> answer = new TreeMap<>();

  Hour(byte[] key, long base) {
    this.key = key;
    this.base = base;
  }

  static Hour of(Installation in, String metric, String host, int hour) {
    long base = Installation.BASE + hour * Installation.HOUR;
    return new Hour(in.key(metric, host, base), base);
  }

  Hour second(int second, long value) {
    points.addInteger(second * 1000, false, value);
    answer.put((base + second) * 1000, (double) value);
    return this;
  }

  Hour second(int second, double value) {
    points.addDouble(second * 1000, false, value);
    answer.put((base + second) * 1000, value);
    return this;
  }

  Hour milli(int milli, long value) {
    points.addInteger(milli, true, value);
    answer.put(base * 1000 + milli, (double) value);
    return this;
  }

  /** Points of all kinds at random seconds and milliseconds. */
  Hour random(Random random) {
    int step = 1 + random.nextInt(600_000);
    for (int at = random.nextInt(step); at < 3_600_000; at += 1 + random.nextInt(step)) {
      boolean millis = random.nextBoolean();
      int offset = millis ? at : at / 1000 * 1000;
      if (points.size() > 0 && offset <= points.offsetMillis(points.size() - 1)) {
        continue;
      }
      double value;
      switch (random.nextInt(3)) {
        case 0 -> {
          long number = random.nextLong() >> random.nextInt(64);
          points.addInteger(offset, millis, number);
          value = (double) number;
        }
        case 1 -> {
          float number = random.nextFloat() * 1000 - 500;
          points.addFloat(offset, millis, number);
          value = number;
        }
        default -> {
          value = random.nextGaussian();
          points.addDouble(offset, millis, value);
        }
      }
      answer.put(base * 1000 + offset, value);
    }
    if (points.size() == 0) {
      second(0, 1);
    }
    return this;
  }

  EncodedRow encode() {
    CompactedCell cell = CompactedCell.encode(points);
    return new EncodedRow(
        key,
        cell.qualifier(),
        cell.value(),
        points.size(),
        base * 1000 + points.offsetMillis(points.size() - 1));
  }
}
