package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes books as compact JSON without zero counts. Samples of failed rows are separate,
 * because a report has few of them and its partitions would have many.
 */
public final class BooksJson {
  private static final String SKIPPED = "skipped";
  private static final String FAILED = "failed";
  private static final String ROLLUPS = "rollups";
  private static final String FURTHER_ROLLUPS = "furtherRollups";
  private static final String HISTOGRAMS_ALONE = "histogramsAlone";
  private static final String LATE_HISTOGRAMS_ALONE = "lateHistogramsAlone";
  private static final String VANISHED = "vanished";
  private static final String ODD_METRICS = "oddMetrics";
  private static final String ODD_HISTOGRAMS = "oddHistograms";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private BooksJson() {}

  /** The counts as one JSON object, without spaces. */
  public static ObjectNode counts(Books books) {
    ObjectNode node = books.counts().json();
    add(node, SKIPPED, books.skipped().json());
    add(node, FAILED, books.failed().json());
    add(node, ROLLUPS, json(books.rollups()));
    add(node, FURTHER_ROLLUPS, json(books.furtherRollups()));
    add(node, HISTOGRAMS_ALONE, json(books.histogramsAlone()));
    add(node, LATE_HISTOGRAMS_ALONE, json(books.lateHistogramsAlone()));
    if (!books.vanished().isEmpty()) {
      books.vanished().forEach(node.putArray(VANISHED)::add);
    }
    for (RunProof.OddMetric odd : books.oddMetrics()) {
      node.withArray(ODD_METRICS).add(RunProofJson.write(odd));
    }
    for (RunProof.OddMetric odd : books.oddHistograms()) {
      node.withArray(ODD_HISTOGRAMS).add(RunProofJson.write(odd));
    }
    return node;
  }

  /** Counts by name. */
  static ObjectNode json(Map<String, Long> counts) {
    ObjectNode node = MAPPER.createObjectNode();
    counts.forEach(node::put);
    return node;
  }

  private static void add(ObjectNode node, String name, ObjectNode counts) {
    if (!counts.isEmpty()) {
      node.set(name, counts);
    }
  }

  /** Samples of failed rows by the reasons' keys. */
  public static ObjectNode samples(Books books) {
    ObjectNode node = MAPPER.createObjectNode();
    books.samples().forEach((reason, list) -> list.forEach(node.withArray(reason.key())::add));
    return node;
  }

  /**
   * Reads the output of {@link #counts}.
   *
   * @throws IllegalArgumentException naming the field, when it is unknown or not a number from 0
   */
  public static Books read(@Nullable JsonNode node) {
    Books books = new Books();
    for (Map.Entry<String, JsonNode> field : object(node, "books").properties()) {
      switch (field.getKey()) {
        case SKIPPED -> read(books.skipped(), SkipReason.class, field.getValue(), SKIPPED);
        case FAILED -> read(books.failed(), FailReason.class, field.getValue(), FAILED);
        case ROLLUPS -> read(field, books::rollups);
        case FURTHER_ROLLUPS -> read(field, books::furtherRollups);
        case HISTOGRAMS_ALONE -> read(field, books::histogramsAlone);
        case LATE_HISTOGRAMS_ALONE -> read(field, books::lateHistogramsAlone);
        case VANISHED -> {
          List<String> rows = new ArrayList<>();
          field.getValue().forEach(row -> rows.add(row.asText()));
          books.vanished(0, rows);
        }
        case ODD_METRICS ->
            field.getValue().forEach(odd -> books.oddMetric(readOddMetric(ODD_METRICS, odd)));
        case ODD_HISTOGRAMS ->
            field.getValue().forEach(odd -> books.oddHistogram(readOddMetric(ODD_HISTOGRAMS, odd)));
        default ->
            books
                .counts()
                .add(
                    Tally.reason(Count.class, field.getKey()),
                    number(field.getKey(), field.getValue()));
      }
    }
    return books;
  }

  /**
   * Reads the output of {@link #samples}.
   *
   * @throws IllegalArgumentException naming the field, when it is unknown or not a list
   */
  public static Map<FailReason, List<String>> readSamples(@Nullable JsonNode node) {
    Map<FailReason, List<String>> samples = new EnumMap<>(FailReason.class);
    for (Map.Entry<String, JsonNode> field : object(node, "failedSamples").properties()) {
      List<String> list = new ArrayList<>();
      field.getValue().forEach(sample -> list.add(sample.asText()));
      samples.put(Tally.reason(FailReason.class, field.getKey()), list);
    }
    return samples;
  }

  private static <E extends Enum<E> & Tally.Reason> void read(
      Tally<E> tally, Class<E> type, JsonNode node, String name) {
    for (Map.Entry<String, JsonNode> field : object(node, name).properties()) {
      tally.add(Tally.reason(type, field.getKey()), number(field.getKey(), field.getValue()));
    }
  }

  private static void read(Map.Entry<String, JsonNode> counts, ObjLongConsumer<String> taken) {
    for (Map.Entry<String, JsonNode> field :
        object(counts.getValue(), counts.getKey()).properties()) {
      taken.accept(field.getKey(), number(field.getKey(), field.getValue()));
    }
  }

  private static RunProof.OddMetric readOddMetric(String name, JsonNode odd) {
    try {
      return RunProofJson.readOddMetric(odd);
    } catch (IOException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  private static JsonNode object(@Nullable JsonNode node, String name) {
    if (node == null || !node.isObject()) {
      throw new IllegalArgumentException(name + " must be an object, found: " + node);
    }
    return node;
  }

  private static long number(String name, JsonNode value) {
    if (!value.canConvertToExactIntegral() || !value.canConvertToLong() || value.longValue() < 0) {
      throw new IllegalArgumentException(name + " must be a number from 0, found: " + value);
    }
    return value.longValue();
  }
}
