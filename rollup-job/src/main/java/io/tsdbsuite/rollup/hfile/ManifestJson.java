package io.tsdbsuite.rollup.hfile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.rollup.error.JsonFailures;
import io.tsdbsuite.rollup.report.RunProofJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The manifest as JSON; keys of rows are in hex. */
public final class ManifestJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final HexFormat HEX = HexFormat.of();

  /** The field of a table of histograms or packed rows. */
  private static final String LEVEL = "level";

  private ManifestJson() {}

  private static String ids(boolean histogram) {
    return histogram ? "codecIds" : "aggregatorIds";
  }

  static byte[] write(Manifest manifest) throws IOException {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("format", manifest.format());
    root.put("run", manifest.run());
    root.put("version", manifest.version());
    if (manifest.cluster() != null) {
      root.put("hbaseCluster", manifest.cluster());
    }
    root.put("cellTimestamp", manifest.stamp());
    manifest.options().forEach(root.putObject("options")::put);
    manifest.snapshots().forEach(root.putObject("snapshots")::put);
    root.put("cells", manifest.cells());
    if (manifest.hasPacked()) {
      root.put("packedParts", manifest.packedParts());
    }
    if (manifest.proof() != null) {
      RunProofJson.write(root.putObject("proof"), manifest.proof());
    }
    ArrayNode tables = root.putArray("tables");
    manifest.tables().forEach(table -> write(tables.addObject(), table));
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
  }

  private static void write(ObjectNode node, Manifest.Table table) {
    node.put("table", table.name());
    node.put("family", RowKey.FAMILY);
    node.put("interval", table.interval());
    if (table.isHistogram() || table.isPacked()) {
      node.put(LEVEL, table.level());
    }
    node.put("rowSpan", table.rowSpan());
    ObjectNode ids = node.putObject(ids(table.isHistogram()));
    table.ids().forEach((name, id) -> ids.put(name, id.intValue()));
    ArrayNode regions = node.putArray("regions");
    table.regions().forEach(regions::add);
    ArrayNode files = node.putArray("files");
    for (WrittenFile file : table.files()) {
      files
          .addObject()
          .put("name", file.name())
          .put("region", file.region())
          .put("cells", file.cells())
          .put("bytes", file.bytes())
          .put("firstRow", HEX.formatHex(file.firstRow()))
          .put("lastRow", HEX.formatHex(file.lastRow()))
          .put("crc32c", file.crc32c());
    }
  }

  /**
   * Reads a manifest.
   *
   * @throws IOException when it is not a manifest or has an unknown format; the message gives the
   *     reason
   */
  public static Manifest read(byte[] json) throws IOException {
    JsonNode root = tree(json);
    int format = RunProofJson.need(root, "format").asInt();
    int wanted =
        RunDir.format(
            root.path("options").has(Manifest.SUITE),
            hasLevel(root, Level.HISTOGRAM),
            hasLevel(root, Level.PACKED));
    if (format != wanted) {
      throw new IOException("format must be " + wanted + ", found " + format);
    }
    Manifest manifest =
        new Manifest(
            format,
            RunProofJson.need(root, "run").asText(),
            RunProofJson.need(root, "version").asText(),
            root.path("hbaseCluster").asText(null),
            RunProofJson.need(root, "cellTimestamp").asLong(),
            map(RunProofJson.need(root, "options"), JsonNode::asText),
            map(RunProofJson.need(root, "snapshots"), JsonNode::asText),
            list(RunProofJson.need(root, "tables"), ManifestJson::table),
            root.has("proof") ? RunProofJson.read(root.get("proof")) : null);
    long cells = RunProofJson.need(root, "cells").asLong();
    if (cells != manifest.cells()) {
      throw new IOException(
          "cells must be the sum of its files, " + manifest.cells() + ", found " + cells);
    }
    return manifest;
  }

  private static boolean hasLevel(JsonNode root, String name) {
    return root.path("tables").findValuesAsText(LEVEL).stream()
        .anyMatch(level -> level.endsWith('.' + name));
  }

  private static JsonNode tree(byte[] json) throws IOException {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IOException("must be JSON, found: " + JsonFailures.describe(e), e);
    }
  }

  private static Manifest.Table table(JsonNode node) throws IOException {
    String name = RunProofJson.need(node, "table").asText();
    String level = node.path(LEVEL).asText(RunProofJson.need(node, "interval").asText());
    boolean isHistogram = Level.isHistogram(level);
    return new Manifest.Table(
        name,
        level,
        RunProofJson.need(node, "rowSpan").asText(),
        map(RunProofJson.need(node, ids(isHistogram)), JsonNode::asInt),
        list(RunProofJson.need(node, "regions"), JsonNode::asText),
        list(RunProofJson.need(node, "files"), file -> file(name, file)));
  }

  private static WrittenFile file(String table, JsonNode node) throws IOException {
    try {
      return new WrittenFile(
          table,
          RunProofJson.need(node, "name").asText(),
          RunProofJson.need(node, "region").asInt(),
          RunProofJson.need(node, "cells").asLong(),
          RunProofJson.need(node, "bytes").asLong(),
          HEX.parseHex(RunProofJson.need(node, "firstRow").asText()),
          HEX.parseHex(RunProofJson.need(node, "lastRow").asText()),
          RunProofJson.need(node, "crc32c").asLong());
    } catch (IllegalArgumentException e) {
      throw new IOException("rows must be in hex: " + e.getMessage(), e);
    }
  }

  /** Reads an element. */
  @FunctionalInterface
  private interface Element<T> {
    T read(JsonNode node) throws IOException;
  }

  private static <T> List<T> list(JsonNode array, Element<T> element) throws IOException {
    List<T> list = new ArrayList<>();
    for (JsonNode node : array) {
      list.add(element.read(node));
    }
    return List.copyOf(list);
  }

  private static <T> Map<String, T> map(JsonNode object, Function<JsonNode, T> value) {
    Map<String, T> map = new LinkedHashMap<>();
    object.properties().forEach(field -> map.put(field.getKey(), value.apply(field.getValue())));
    return map;
  }
}
