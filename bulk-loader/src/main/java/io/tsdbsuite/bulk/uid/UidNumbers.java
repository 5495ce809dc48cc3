package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.uid.UidKind;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Source of numbers for new UIDs of one kind. */
interface UidNumbers {
  /**
   * Returns numbers for new UIDs, each from 1 to the highest that fits in the UID's width; fewer
   * than {@code howMany} when the numbers are exhausted.
   */
  long[] take(int howMany);

  /**
   * Maximum number of attempts to assign a UID to one name, including the first. An attempt fails
   * if its number already belongs to another name.
   */
  int attempts();

  /**
   * Numbers from the counter in the UID table. One call of {@link #take} increments the counter at
   * most once.
   *
   * @param width width of the UIDs, bytes
   */
  static UidNumbers counted(UidTable table, UidKind kind, int width) {
    long highest = Uids.highest(width);
    return new UidNumbers() {
      @Override
      public long[] take(int howMany) {
        // Read first, so that an exhausted counter is not incremented further.
        long left = highest - table.counter(kind);
        int wanted = (int) Math.max(0, Math.min(howMany, left));
        if (wanted == 0) {
          return new long[0];
        }
        long last = table.increment(kind, wanted);
        long first = last - wanted + 1;
        int fit = (int) Math.max(0, Math.min(wanted, highest - first + 1));
        long[] numbers = new long[fit];
        Arrays.setAll(numbers, i -> first + i);
        return numbers;
      }

      @Override
      public int attempts() {
        return 3;
      }
    };
  }

  /**
   * Random numbers, 1 instead of 0. The counter in the UID table is neither read nor changed.
   *
   * @param width width of the UIDs, 1 to 7 bytes
   */
  static UidNumbers random(RandomGenerator random, int width) {
    long mask = Uids.highest(width);
    return new UidNumbers() {
      @Override
      public long[] take(int howMany) {
        long[] numbers = new long[howMany];
        Arrays.setAll(numbers, i -> Math.max(1, random.nextLong() & mask));
        return numbers;
      }

      @Override
      public int attempts() {
        return 10;
      }
    };
  }
}
