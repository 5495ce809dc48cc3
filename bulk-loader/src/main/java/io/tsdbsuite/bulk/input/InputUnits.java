package io.tsdbsuite.bulk.input;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Divides files among threads. The division is a function of the files and the number of threads.
 */
public final class InputUnits {
  private static final long MIN_TARGET = 16L << 20;
  private static final long MAX_TARGET = 2L << 30;

  /** Units for each thread; several, to balance the load at the end. */
  private static final int UNITS_PER_THREAD = 4;

  private final long target;
  private final List<InputUnit> units = new ArrayList<>();
  private List<InputPart> open = new ArrayList<>();
  private long openBytes;

  private InputUnits(long target) {
    this.target = target;
  }

  /**
   * Units of about the same size, in the order of the files: small files together, large plain
   * files of lines in slices, other large files whole.
   *
   * @param ofLines whether a file's format can be read from any line on; called for large plain
   *     files only
   */
  public static List<InputUnit> plan(
      List<InputFile> files, Predicate<InputFile> ofLines, int threads) {
    long total = 0;
    for (InputFile file : files) {
      total += Math.max(0, file.size());
    }
    long share = total / ((long) threads * UNITS_PER_THREAD);
    return plan(files, ofLines, Math.min(MAX_TARGET, Math.max(MIN_TARGET, share)));
  }

  /**
   * The same, by size.
   *
   * @param target size of a unit, bytes as stored
   */
  public static List<InputUnit> plan(
      List<InputFile> files, Predicate<InputFile> ofLines, long target) {
    InputUnits plan = new InputUnits(target);
    for (InputFile file : files) {
      plan.add(file, ofLines);
    }
    plan.finish();
    return List.copyOf(plan.units);
  }

  private void add(InputFile file, Predicate<InputFile> ofLines) {
    if (file.size() <= target && !file.isStdin()) {
      if (openBytes + file.size() > target) {
        finish();
      }
      open.add(InputPart.whole(file));
      openBytes += file.size();
      return;
    }
    finish();
    boolean slices = !file.isStdin() && file.compression() == Compression.PLAIN;
    if (slices && ofLines.test(file)) {
      slice(file);
    } else {
      open.add(InputPart.whole(file));
      finish();
    }
  }

  private void slice(InputFile file) {
    long count = (file.size() + target - 1) / target;
    long from = 0;
    for (long i = 1; i <= count; i++) {
      long to = i == count ? file.size() : file.size() / count * i;
      open.add(new InputPart(file, from, to));
      finish();
      from = to;
    }
  }

  private void finish() {
    if (!open.isEmpty()) {
      units.add(new InputUnit(units.size(), List.copyOf(open)));
    }
    open = new ArrayList<>();
    openBytes = 0;
  }
}
