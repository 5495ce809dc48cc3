package io.tsdbsuite.bulk.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    for (Count count : Count.values()) {
      if (tally.get(count) != 0) {
        node.put(count.key(), tally.get(count));
      }
    }
    if (tally.rejected() != 0) {
      rejects(tally, node.putObject(REJECTED));
    }
    if (tally.skipped() != 0) {
      skips(tally, node.putObject(SKIPPED));
    }
    if (!tally.days().isEmpty()) {
      ObjectNode days = node.putObject(DAYS);
      tally.days().forEach((day, n) -> days.put(LocalDate.ofEpochDay(day).toString(), n));
    }
    return node;
  }

  private static void rejects(Tally tally, ObjectNode node) {
    for (RejectReason reason : RejectReason.values()) {
      if (tally.rejected(reason) != 0) {
        node.put(reason.key(), tally.rejected(reason));
      }
    }
  }

  private static void skips(Tally tally, ObjectNode node) {
    for (SkipKind kind : SkipKind.values()) {
      if (tally.skipped(kind) != 0) {
        node.put(kind.key(), tally.skipped(kind));
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
      if (field.getKey().equals(REJECTED)) {
        for (Map.Entry<String, JsonNode> reject : field.getValue().properties()) {
          RejectReason reason = Keyed.of(RejectReason.class, reject.getKey());
          tally.reject(known(reason, reject.getKey()), number(reject));
        }
      } else if (field.getKey().equals(SKIPPED)) {
        for (Map.Entry<String, JsonNode> skip : field.getValue().properties()) {
          tally.skip(known(Keyed.of(SkipKind.class, skip.getKey()), skip.getKey()), number(skip));
        }
      } else if (field.getKey().equals(DAYS)) {
        for (Map.Entry<String, JsonNode> entry : field.getValue().properties()) {
          tally.accept(day(entry.getKey()), number(entry));
        }
      } else {
        tally.add(known(Keyed.of(Count.class, field.getKey()), field.getKey()), number(field));
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

  private static <T> T known(@Nullable T found, String key) {
    if (found == null) {
      throw new IllegalArgumentException("a tally must have known counts, found '" + key + "'");
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
