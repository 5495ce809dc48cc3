package io.tsdbsuite.rollup.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.rollup.plan.RollupPartition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The partitions whose output was acknowledged completely, with their books. A resumed run does not
 * read them again. One line of compact JSON each, about 500 bytes. Thread-safe.
 *
 * <pre>{@code
 * {"index":17,"region":"...","startRow":"...","stopRow":"...","files":"...","books":{...}}
 * }</pre>
 */
public final class FinishedPartitions {
  private static final Pattern REGION = Pattern.compile("[0-9a-zA-Z_-]+");
  private static final Pattern HEXADECIMAL = Pattern.compile("[0-9a-f]*");

  /** A line in two parts: the fingerprint of the partition, and its books. */
  private record Line(String fingerprint, String books) {
    private String json() {
      return "{" + fingerprint + ",\"books\":" + books + "}";
    }
  }

  private final Map<Integer, Line> lines = new TreeMap<>();
  private final Books books = new Books();

  /** Adds a finished partition. */
  public synchronized void add(RollupPartition partition, Books partitionBooks) {
    put(partition.index(), PlanFingerprint.of(partition), partitionBooks);
  }

  private void put(int index, String fingerprint, Books partitionBooks) {
    Line line = new Line(fingerprint, BooksJson.counts(partitionBooks).toString());
    if (lines.putIfAbsent(index, line) != null) {
      throw new IllegalArgumentException("partition " + index + " is there twice");
    }
    books.add(partitionBooks);
  }

  /**
   * Reads a line of a report.
   *
   * @throws IllegalArgumentException naming the invalid field
   */
  public synchronized void read(JsonNode node) {
    JsonNode index = node.path("index");
    if (!index.isInt() || index.intValue() < 0) {
      throw new IllegalArgumentException("index must be a number from 0, found: " + index);
    }
    Books partitionBooks = BooksJson.read(node.get("books"));
    if (!partitionBooks.close()) {
      throw new IllegalArgumentException(
          "the books of partition " + index + " do not close: " + node.get("books"));
    }
    put(
        index.intValue(),
        PlanFingerprint.of(
            index.intValue(),
            text(node, "region", REGION),
            text(node, "startRow", HEXADECIMAL),
            text(node, "stopRow", HEXADECIMAL),
            text(node, "files", HEXADECIMAL)),
        partitionBooks);
  }

  private static String text(JsonNode node, String field, Pattern rule) {
    JsonNode value = node.path(field);
    if (!value.isTextual() || !rule.matcher(value.textValue()).matches()) {
      throw new IllegalArgumentException(
          field + " must match " + rule + ", found: " + (value.isMissingNode() ? "none" : value));
    }
    return value.textValue();
  }

  /** Adds samples of failed rows of these partitions, read from a report. */
  public synchronized void samples(Map<FailReason, List<String>> samples) {
    books.samples(samples);
  }

  /** Number of finished partitions. */
  public synchronized int size() {
    return lines.size();
  }

  /** Their numbers in the plan. */
  public synchronized List<Integer> indexes() {
    return List.copyOf(lines.keySet());
  }

  /** Whether a partition of the plan is finished, with an equal fingerprint. */
  public synchronized boolean has(RollupPartition partition) {
    Line line = lines.get(partition.index());
    return line != null && line.fingerprint.equals(PlanFingerprint.of(partition));
  }

  /** Returns an independent copy, so that a report shows one consistent state. */
  public synchronized FinishedPartitions copy() {
    FinishedPartitions copy = new FinishedPartitions();
    copy.lines.putAll(lines);
    copy.books.add(books);
    return copy;
  }

  /** Returns a copy of the sum of their books. */
  public synchronized Books books() {
    return books.copy();
  }

  /** Returns all current lines in plan order. */
  public synchronized Stream<String> json() {
    return List.copyOf(lines.values()).stream().map(Line::json);
  }
}
