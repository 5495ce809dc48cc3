package io.tsdbsuite.bulk.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads fields of a JSON report. All methods throw IllegalArgumentException for a wrong one. */
final class ReportFields {
  private ReportFields() {}

  /** An object that must be there. */
  static JsonNode object(JsonNode node, String name) {
    JsonNode found = node.path(name);
    if (!found.isObject()) {
      throw wrong(name, "an object", found);
    }
    return found;
  }

  /** A text that must be there. */
  static String text(JsonNode node, String name) {
    JsonNode found = node.path(name);
    if (!found.isTextual()) {
      throw wrong(name, "a text", found);
    }
    return found.textValue();
  }

  /** A text; empty if it is not there. */
  static String textIfAny(JsonNode node, String name) {
    return node.has(name) ? text(node, name) : "";
  }

  /** A count that must be there. */
  static long number(JsonNode node, String name) {
    return number(name, node.path(name));
  }

  private static long number(String name, JsonNode found) {
    if (!found.isIntegralNumber() || !found.canConvertToLong()) {
      throw wrong(name, "an integer", found);
    }
    return found.longValue();
  }

  /** Counts by name, in their order. */
  static Map<String, Long> numbers(JsonNode node, String name) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : object(node, name).properties()) {
      numbers.put(field.getKey(), number(field.getKey(), field.getValue()));
    }
    return numbers;
  }

  /** Elements of a list; none if it is not there. */
  static List<JsonNode> list(JsonNode node, String name) {
    JsonNode found = node.path(name);
    if (!found.isArray() && !found.isMissingNode()) {
      throw wrong(name, "a list", found);
    }
    List<JsonNode> all = new ArrayList<>();
    found.forEach(all::add);
    return all;
  }

  /** Texts of a list; none if it is not there. */
  static List<String> texts(JsonNode node, String name) {
    return list(node, name).stream().map(JsonNode::asText).toList();
  }

  private static IllegalArgumentException wrong(String name, String rule, JsonNode found) {
    String text = found.isMissingNode() ? "none" : found.toString();
    return new IllegalArgumentException(
        "must be the report of a load: its field " + name + " must be " + rule + ", found " + text);
  }
}
