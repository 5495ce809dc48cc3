package io.tsdbsuite.message.read;

import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.IntervalText;
import io.tsdbsuite.message.MessageTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a rollup of version 3 has beyond version 1 while it is parsed: times and values
 * of several rollups of one series and interval. Source: docs/rollup-message.md.
 */
final class RollupArrays {
  /** Digits of the largest number of intervals. */
  private static final int MAX_DIGITS = 4;

  /** Of a deletion. */
  private static final List<String> NOTHING = Collections.emptyList();

  private @Nullable List<String> at;
  private @Nullable List<String> gone;
  private final Map<String, List<String>> values = new LinkedHashMap<>();

  /** The first name that has an array; null for none. */
  private @Nullable String firstName;

  /** The first error in times, and the first in values. */
  private @Nullable BadMessageException timeProblem;

  private @Nullable BadMessageException valueProblem;

  /** The rollups of one object, in place of which the reader hands them out. */
  static final class Rollups extends Element {
    final List<RollupElement> all;

    Rollups(ElementFields fields) {
      super(fields);
      this.all = fields.rollups;
    }

    @Override
    public int points() {
      return all.stream().mapToInt(Element::points).sum();
    }
  }

  /** Keeps the first problem of times, or of values, until version and type are known. */
  void problem(String name, BadMessageException problem) {
    if (name.equals(FieldNames.AT) || name.equals(FieldNames.GONE)) {
      timeProblem = timeProblem == null ? problem : timeProblem;
    } else {
      valueProblem = valueProblem == null ? problem : valueProblem;
    }
  }

  /** Takes {@code at} or {@code gone}. */
  void times(String name, List<String> intervals) {
    boolean isAt = name.equals(FieldNames.AT);
    if ((isAt ? at : gone) != null) {
      problem(name, ElementFields.twice(name));
    } else if (isAt) {
      at = intervals;
    } else {
      gone = intervals;
    }
  }

  /** Takes the values of an aggregator; of another name they are not kept. */
  void values(String aggregator, List<String> numbers) {
    firstName = firstName == null ? aggregator : firstName;
    if (!ElementFields.FOUR.contains(aggregator)
        && !MessageTypes.FURTHER_AGGREGATORS.contains(aggregator)) {
      problem(
          FieldNames.VALUES,
          new BadMessageException(
              Reason.UNKNOWN_AGGREGATOR,
              String.format(
                  "values of v 3 must be of sum, min, max, count and %s, found %s",
                  MessageTypes.FURTHER_AGGREGATORS, aggregator)));
    } else if (values.putIfAbsent(aggregator, numbers) != null) {
      problem(FieldNames.VALUES, ElementFields.twice("values." + aggregator));
    }
  }

  /** Refuses arrays in a rollup of another version. */
  void requireNone() throws BadMessageException {
    if (firstName != null) {
      throw new BadMessageException(
          Reason.BAD_VALUE, "values." + firstName + " must be a number, found START_ARRAY");
    }
  }

  /**
   * Checks the fields and creates the rollups: those of {@code at}, then those of {@code gone}.
   *
   * @throws BadMessageException with the first rule that is broken; {@link ElementFields#rollups}
   *     are those that are lost, if values alone break it
   */
  Element element(ElementFields fields) throws BadMessageException {
    RollupElement shared = new RollupElement(fields);
    if (timeProblem != null) {
      throw timeProblem;
    }
    long seconds = IntervalText.seconds(shared.interval());
    if (seconds == 0) {
      throw new BadMessageException(
          Reason.UNKNOWN_INTERVAL,
          "interval must be a number and one of the units s m h d w n y, found "
              + shared.interval());
    }
    int slots = values.values().stream().mapToInt(List::size).max().orElse(0);
    List<Long> times = at == null ? first(slots) : intervals(FieldNames.AT, at);
    List<Long> deleted = gone == null ? Collections.emptyList() : intervals(FieldNames.GONE, gone);
    requireTimes(shared, seconds, times, deleted);
    List<String> names = new ArrayList<>(values.keySet());
    List<String> texts = new ArrayList<>(names.size() * slots);
    values.values().forEach(texts::addAll);
    List<RollupElement> rollups = new ArrayList<>(times.size() + deleted.size());
    for (int i = 0; i < times.size(); i++) {
      long time = shared.timestamp() + times.get(i) * seconds;
      rollups.add(new RollupElement(shared, shared.tags(), time, names, texts, i, slots));
    }
    for (long each : deleted) {
      long time = shared.timestamp() + each * seconds;
      rollups.add(new RollupElement(shared, shared.tags(), time, NOTHING, NOTHING, 0, 1));
    }
    fields.rollups = rollups;
    requireValues(fields, times.size());
    return new Rollups(fields);
  }

  /** The intervals 0 to n - 1. */
  private static List<Long> first(int n) {
    List<Long> all = new ArrayList<>(n);
    for (long i = 0; i < n; i++) {
      all.add(i);
    }
    return all;
  }

  /** Numbers of intervals after the timestamp, ascending. */
  private static List<Long> intervals(String name, List<String> texts) throws BadMessageException {
    List<Long> intervals = new ArrayList<>(texts.size());
    long last = -1;
    for (String text : texts) {
      boolean isNumber = text.length() <= MAX_DIGITS && text.chars().allMatch(Character::isDigit);
      long number = isNumber ? Long.parseLong(text) : -1;
      if (number < 0 || number >= MessageTypes.MAX_SLOTS) {
        throw new BadMessageException(
            Reason.BAD_FIELD,
            String.format(
                "%s must have whole numbers of intervals, 0 to %s, found %s",
                name, MessageTypes.MAX_SLOTS - 1, text));
      }
      if (number <= last) {
        throw new BadMessageException(
            Reason.BAD_FIELD,
            String.format("%s must be ascending, found %s after %s", name, number, last));
      }
      intervals.add(number);
      last = number;
    }
    return intervals;
  }

  private static void requireTimes(
      RollupElement shared, long seconds, List<Long> times, List<Long> deleted)
      throws BadMessageException {
    int n = times.size() + deleted.size();
    if (n == 0) {
      throw ElementFields.missing(
          Reason.BAD_FIELD, "values and gone", "have at least one rollup in v 3");
    }
    List<Long> both = new ArrayList<>(times);
    both.retainAll(new HashSet<>(deleted));
    if (!both.isEmpty()) {
      throw new BadMessageException(
          Reason.BAD_FIELD, "gone must have no interval of at, found " + both.get(0));
    }
    long last = 0;
    for (List<Long> each : Arrays.asList(times, deleted)) {
      last = each.isEmpty() ? last : Math.max(last, each.get(each.size() - 1));
    }
    if (shared.timestamp() + last * Math.min(seconds, ElementFields.MAX_SECONDS)
        > ElementFields.MAX_SECONDS) {
      throw new BadMessageException(
          Reason.BAD_TIMESTAMP,
          String.format(
              "timestamp and the intervals after it must be at most %s, in seconds, found %s and %s"
                  + " of %s",
              ElementFields.MAX_SECONDS, shared.timestamp(), last, shared.interval()));
    }
  }

  private void requireValues(ElementFields fields, int slots) throws BadMessageException {
    if (valueProblem != null) {
      throw valueProblem;
    }
    if (fields.hasHistogram()) {
      throw new BadMessageException(
          Reason.BAD_FIELD, "histogram must be of a rollup of v 2, found it in v 3");
    }
    if (!fields.aggregators.isEmpty()) {
      throw new BadMessageException(
          Reason.BAD_VALUE,
          String.format(
              "values.%s must be an array of numbers in v 3, found %s",
              fields.aggregators.get(0), fields.values.get(0)));
    }
    if (slots > 0 && !values.keySet().containsAll(ElementFields.FOUR)) {
      throw new BadMessageException(
          Reason.BAD_FIELD,
          "values of v 3 must have sum, min, max, count, found " + values.keySet());
    }
    for (Map.Entry<String, List<String>> each : values.entrySet()) {
      if (each.getValue().size() != slots) {
        throw new BadMessageException(
            Reason.BAD_FIELD,
            String.format(
                "values.%s must have a number for each of %s rollups, found %s",
                each.getKey(), slots, each.getValue().size()));
      }
    }
  }
}
