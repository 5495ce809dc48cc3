package io.tsdbsuite.job.page;

import java.util.Locale;

/** Numbers as pages show them. */
public final class Numbers {
  private Numbers() {}

  /** An integer in groups of three digits: 1,234,567. */
  public static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /**
   * The same of any number.
   *
   * @param digits most digits behind the point; zeros at the end are left out
   */
  public static String grouped(double number, int digits) {
    String text = String.format(Locale.ROOT, "%,." + digits + "f", number);
    return digits == 0 ? text : text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }

  /** About three digits, for axes: 950, 12k, 3.4M, 1.2G. */
  public static String shortened(double number) {
    double size = Math.abs(number);
    if (size >= 1e9) {
      return grouped(number / 1e9, 2) + "G";
    }
    if (size >= 1e6) {
      return grouped(number / 1e6, 2) + "M";
    }
    if (size >= 1e4) {
      return grouped(number / 1e3, 1) + "k";
    }
    return grouped(number, size < 10 ? 2 : 1);
  }
}
