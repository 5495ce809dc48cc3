package io.tsdbsuite.bulk.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * A tally as JSON. Counts of 0 are left out.
 *
 * <pre>
 *   {"pointsRead":13,"pointsWritten":10,"rejected":{"badValue":2},"skipped":{"nan":1},
 *    "acceptedByDay":{"2026-11-23":10}}
 * </pre>
 */
public final class TallyJson {
  private static final String REJECTED = "rejected";
  private static final String SKIPPED = "skipped";
  private static final String DAYS = "acceptedByDay";

  private TallyJson() {}

  /** The JSON of a tally. */
  public static ObjectNode write(Tally tally) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    put(node, Count.class, tally::get);
    if (tally.rejected() != 0) {
      put(node.putObject(REJECTED), RejectReason.class, tally::rejected);
    }
    if (tally.skipped() != 0) {
      put(node.putObject(SKIPPED), SkipKind.class, tally::skipped);
    }
    if (!tally.days().isEmpty()) {
      ObjectNode days = node.putObject(DAYS);
      tally.days().forEach((day, n) -> days.put(LocalDate.ofEpochDay(day).toString(), n));
    }
    return node;
  }

  private static <E extends Enum<E> & Keyed> void put(
      ObjectNode node, Class<E> type, ToLongFunction<E> counts) {
    for (E each : type.getEnumConstants()) {
      if (counts.applyAsLong(each) != 0) {
        node.put(each.key(), counts.applyAsLong(each));
      }
    }
  }

  /**
   * The tally of such JSON.
   *
   * @throws IllegalArgumentException when a name is unknown or a count no integer of 64 bits
   */
  public static Tally read(JsonNode node) {
    Tally tally = new Tally();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      switch (field.getKey()) {
        case REJECTED ->
            field
                .getValue()
                .properties()
                .forEach(reject -> tally.reject(known(RejectReason.class, reject), number(reject)));
        case SKIPPED ->
            field
                .getValue()
                .properties()
                .forEach(skip -> tally.skip(known(SkipKind.class, skip), number(skip)));
        case DAYS ->
            field
                .getValue()
                .properties()
                .forEach(day -> tally.accept(day(day.getKey()), number(day)));
        default -> tally.add(known(Count.class, field), number(field));
      }
    }
    return tally;
  }

  private static int day(String text) {
    try {
      return (int) LocalDate.parse(text).toEpochDay();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("a day must be a date, found '" + text + "'", e);
    }
  }

  private static <E extends Enum<E> & Keyed> E known(
      Class<E> type, Map.Entry<String, JsonNode> field) {
    E found = Keyed.of(type, field.getKey());
    if (found == null) {
      throw new IllegalArgumentException(
          "a tally must have known counts, found '" + field.getKey() + "'");
    }
    return found;
  }

  private static long number(Map.Entry<String, JsonNode> field) {
    if (!field.getValue().isIntegralNumber() || !field.getValue().canConvertToLong()) {
      throw new IllegalArgumentException(
          "a count must be an integer, found " + field.getKey() + " " + field.getValue());
    }
    return field.getValue().longValue();
  }
}
