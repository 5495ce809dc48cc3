package io.tsdbsuite.format.rollup;

/** The Gregorian calendar on whole days since 1970-01-01, without objects. */
final class CivilDate {
  private static final int DAYS_IN_400_YEARS = 146097;
  private static final int DAYS_TO_1970 = 719468;

  private CivilDate() {}

  /** The first day of the month, or of the year, of a day; both in days since 1970-01-01. */
  static long floor(long epochDay, boolean year) {
    // Years are counted from 1 March, so that the leap day is the last one: each date is then
    // a fixed number of days after the start of its 400 years.
    long day = epochDay + DAYS_TO_1970;
    long era = day / DAYS_IN_400_YEARS;
    long dayOfEra = day % DAYS_IN_400_YEARS;
    long yearOfEra =
        (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / (DAYS_IN_400_YEARS - 1)) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long month = (5 * dayOfYear + 2) / 153;
    if (!year) {
      return epochDay - (dayOfYear - (153 * month + 2) / 5);
    }
    long calendarYear = yearOfEra + era * 400 + (month >= 10 ? 1 : 0);
    long y = calendarYear - 1;
    // 1 January is day 306 of the year that began on 1 March before it.
    return y / 400 * DAYS_IN_400_YEARS
        + y % 400 * 365
        + y % 400 / 4
        - y % 400 / 100
        + 306
        - DAYS_TO_1970;
  }
}
