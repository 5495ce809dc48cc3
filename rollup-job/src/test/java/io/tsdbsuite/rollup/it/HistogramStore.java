package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/** Histograms of rollups in their tables, without the programs of the suite that store them. */
final class HistogramStore {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private HistogramStore() {}

  /**
   * Stores the histograms of JSON lines in raw rows, with id 43 of their codec, as a TSD stores its
   * own.
   *
   * @param tables by interval
   */
  static void put(
      HBaseServer hbase,
      String uidTable,
      RowKey keys,
      List<String> lines,
      Map<String, String> tables)
      throws IOException {
    Map<String, byte[]> uids = new HashMap<>();
    for (RawCell cell : hbase.cells(uidTable)) {
      if (cell.family().equals("id")) {
        uids.put(
            new String(cell.qualifier(), StandardCharsets.ISO_8859_1)
                + new String(cell.row(), StandardCharsets.ISO_8859_1),
            cell.value());
      }
    }
    Map<String, List<RawCell>> cells = new HashMap<>();
    for (String line : lines) {
      JsonNode json = MAPPER.readTree(line);
      JsonNode histogram = json.path("histogram");
      if (histogram.isMissingNode()) {
        continue;
      }
      assertThat(histogram.get("codec").textValue()).isEqualTo(HistogramCodecs.SKETCH);
      TreeSet<byte[]> pairs = new TreeSet<>(Arrays::compareUnsigned);
      json.get("tags")
          .properties()
          .forEach(
              tag ->
                  pairs.add(
                      Bytes.add(
                          uids.get("tagk" + tag.getKey()),
                          uids.get("tagv" + tag.getValue().textValue()))));
      byte[] row =
          keys.encode(
              uids.get("metrics" + json.get("metric").textValue()),
              json.get("timestamp").longValue(),
              pairs.toArray(byte[][]::new));
      byte[] value = Bytes.add(new byte[] {43}, histogram.get("value").binaryValue());
      cells
          .computeIfAbsent(tables.get(json.get("interval").textValue()), any -> new ArrayList<>())
          .add(new RawCell(row, "t", new byte[] {6, 0, 0}, Long.MAX_VALUE, value));
    }
    for (Map.Entry<String, List<RawCell>> table : cells.entrySet()) {
      hbase.putCells(table.getKey(), table.getValue());
    }
  }
}
