package io.tsdbsuite.bulk.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Reads fields of an object of a JSON report. All methods throw IllegalArgumentException for a
 * wrong one.
 */
record ReportFields(JsonNode node) {
  /** Whether a field is there. */
  boolean has(String name) {
    return node.has(name);
  }

  /** Whether a field is there and true. */
  boolean is(String name) {
    return node.path(name).asBoolean();
  }

  /** An object that must be there. */
  ReportFields object(String name) {
    JsonNode found = node.path(name);
    return new ReportFields(right(found.isObject(), name, "an object", found));
  }

  /** A text that must be there. */
  String text(String name) {
    JsonNode found = node.path(name);
    return right(found.isTextual(), name, "a text", found).textValue();
  }

  /** A text; empty if it is not there. */
  String textIfAny(String name) {
    return has(name) ? text(name) : "";
  }

  /** A count that must be there. */
  long number(String name) {
    JsonNode found = node.path(name);
    boolean integer = found.isIntegralNumber() && found.canConvertToLong();
    return right(integer, name, "an integer", found).longValue();
  }

  /** Counts by name, in their order. */
  Map<String, Long> numbers(String name) {
    ReportFields counts = object(name);
    Map<String, Long> numbers = new LinkedHashMap<>();
    counts
        .node
        .properties()
        .forEach(each -> numbers.put(each.getKey(), counts.number(each.getKey())));
    return numbers;
  }

  /** Objects of a list; none if it is not there. */
  List<ReportFields> list(String name) {
    return elements(name).stream().map(ReportFields::new).toList();
  }

  /** Texts of a list; none if it is not there. */
  List<String> texts(String name) {
    return elements(name).stream().map(JsonNode::asText).toList();
  }

  private List<JsonNode> elements(String name) {
    JsonNode found = node.path(name);
    right(found.isArray() || found.isMissingNode(), name, "a list", found);
    return StreamSupport.stream(found.spliterator(), false).toList();
  }

  private static JsonNode right(boolean right, String name, String rule, JsonNode found) {
    if (!right) {
      throw new IllegalArgumentException(
          "must be the report of a load: its field %s must be %s, found %s"
              .formatted(name, rule, found.isMissingNode() ? "none" : found));
    }
    return found;
  }
}
