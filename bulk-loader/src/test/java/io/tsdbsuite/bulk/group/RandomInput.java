package io.tsdbsuite.bulk.group;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random series and points, with many that collide. */
final class RandomInput {
  private static final List<Number> SPECIAL =
      List.of(
          0L,
          1L,
          -1L,
          127L,
          128L,
          -128L,
          -129L,
          32767L,
          32768L,
          -32769L,
          0x7fffffffL,
          0x80000000L,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          0.0,
          -0.0,
          1.0,
          1.5,
          0.1,
          Double.MIN_VALUE,
          Double.MAX_VALUE,
          (double) Float.MIN_VALUE,
          (double) Float.MAX_VALUE,
          -0x1p63,
          0x1p63,
          0x1p53 + 2,
          (1L << 53) + 1);

  private static final long BASE = 1_600_041_600L;

  private final Random random;
  private final int instants;

  /** With so many instants in an hour. */
  RandomInput(Random random, int instants) {
    this.random = random;
    this.instants = instants;
  }

  String metric() {
    return "metric." + random.nextInt(3);
  }

  List<String> tags() {
    List<String> tags = new ArrayList<>(List.of("host", "h" + random.nextInt(4)));
    if (random.nextBoolean()) {
      tags.addAll(List.of("dc", "d" + random.nextInt(2)));
    }
    return tags;
  }

  /** The tags as an input has them: in any order. */
  String spelled(List<String> tags) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < tags.size(); i += 2) {
      pairs.add(tags.get(i) + "=" + tags.get(i + 1));
    }
    Collections.shuffle(pairs, random);
    return String.join(" ", pairs);
  }

  ModelPoint point() {
    return new ModelPoint(timestamp(), value());
  }

  private long timestamp() {
    long hour = BASE + 3600L * random.nextInt(4);
    long offset = 3600L * random.nextInt(instants) / instants;
    return switch (random.nextInt(4)) {
      case 0 -> (hour + offset) * 1000;
      case 1 -> (hour + offset) * 1000 + random.nextInt(3);
      default -> hour + offset;
    };
  }

  private Number value() {
    return switch (random.nextInt(5)) {
      case 0 -> SPECIAL.get(random.nextInt(SPECIAL.size()));
      case 1 -> random.nextLong() >> random.nextInt(64);
      case 2 -> random.nextGaussian();
      case 3 -> (double) (float) random.nextGaussian();
      default -> (long) random.nextInt(3);
    };
  }
}
