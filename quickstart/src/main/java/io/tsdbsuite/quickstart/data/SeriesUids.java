package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The UIDs of the series of {@link RequestRate} in a TSD.
 *
 * @param metric UID of the metric
 * @param pairs for each server, counted from 0, its tag pairs as UIDs
 */
public record SeriesUids(byte[] metric, Map<Integer, List<byte[]>> pairs) {
  private static final int HOUR = 3600;

  /**
   * Asks for the UIDs.
   *
   * @param tsd has written points of all series
   * @param hour start of the hour, seconds since the epoch, UTC
   * @param rate the series
   * @param schema schema of the TSD
   * @throws IllegalStateException when the TSD has no UIDs for some of the series
   */
  public static SeriesUids of(TsdClient tsd, long hour, RequestRate rate, StorageSchema schema) {
    Map<Map<String, String>, String> tsuids = new HashMap<>();
    for (Series series : tsd.query(QuerySpec.of(RequestRate.METRIC, hour, hour + HOUR - 2))) {
      tsuids.put(series.tags(), series.tsuids().get(0));
    }
    RowKey keys = new RowKey(schema);
    Map<Integer, List<byte[]>> pairs = new TreeMap<>();
    byte[] metric = new byte[0];
    for (int server = 0; server < rate.series(); server++) {
      String tsuid = tsuids.get(rate.tags(server));
      if (tsuid == null) {
        throw new IllegalStateException("the TSD must know " + rate.tags(server));
      }
      byte[] uids = HexFormat.of().parseHex(tsuid);
      metric = Arrays.copyOf(uids, schema.metricWidth());
      List<byte[]> ofServer = new ArrayList<>();
      for (int at = schema.metricWidth(); at < uids.length; at += keys.pairWidth()) {
        ofServer.add(Arrays.copyOfRange(uids, at, at + keys.pairWidth()));
      }
      pairs.put(server, ofServer);
    }
    return new SeriesUids(metric, pairs);
  }

  /** The tag pairs by server, in the order of their row keys. */
  Map<Integer, List<byte[]>> sorted() {
    Map<Integer, List<byte[]>> sorted = new LinkedHashMap<>();
    pairs.entrySet().stream()
        .sorted((a, b) -> compare(a.getValue(), b.getValue()))
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }

  private static int compare(List<byte[]> a, List<byte[]> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = Arrays.compareUnsigned(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }
}
