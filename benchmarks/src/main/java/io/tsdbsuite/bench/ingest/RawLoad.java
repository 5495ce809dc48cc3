package io.tsdbsuite.bench.ingest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Raw points in the order of collectors: one point of every series, then the next point of every
 * series. Half of the values are integers, half have two decimals.
 */
final class RawLoad {
  private static final int SERIES = 1000;
  private static final long START = 1_763_510_400L;

  private final int points;
  private final int[] hundredths;

  /**
   * Creates a load.
   *
   * @param points number of points, a multiple of the batch size
   */
  RawLoad(int points) {
    this.points = points;
    this.hundredths = new Random(2).ints(points, 0, 100_000).toArray();
  }

  int points() {
    return points;
  }

  /** The points as requests to /api/put; with a batch of 1 an object, else an array. */
  List<byte[]> requests(int batch) {
    List<byte[]> requests = new ArrayList<>();
    for (int from = 0; from < points; from += batch) {
      requests.add(PutConnection.request(json(from, batch, "")));
    }
    return requests;
  }

  /** The points as messages; with a batch of 1 an object keyed by its series, else an array. */
  Iterable<ProducerRecord<byte[], byte[]>> messages(int batch) {
    return () -> records(batch);
  }

  /** Partitions of arrays are random: in rotation, each would always get the same series. */
  private Iterator<ProducerRecord<byte[], byte[]>> records(int batch) {
    Random partitions = new Random(3);
    return IntStream.iterate(0, from -> from < points, from -> from + batch)
        .mapToObj(
            from ->
                batch == 1
                    ? new ProducerRecord<>(
                        Servers.RAW,
                        bytes(host(from)),
                        bytes(json(from, 1, "\"type\":\"Metric\",")))
                    : new ProducerRecord<>(
                        Servers.RAW,
                        partitions.nextInt(Servers.PARTITIONS),
                        (byte[]) null,
                        bytes(json(from, batch, "\"type\":\"Metric\","))))
        .iterator();
  }

  private String json(int from, int batch, String type) {
    StringBuilder json = new StringBuilder(batch * 128);
    for (int i = from; i < from + batch; i++) {
      json.append(i > from ? "," : "")
          .append('{')
          .append(type)
          .append("\"metric\":\"sys.cpu.user\",\"timestamp\":")
          .append(START + i / SERIES)
          .append(",\"value\":");
      value(hundredths[i], json);
      json.append(",\"tags\":{\"host\":\"").append(host(i)).append("\",\"dc\":\"fra\"}}");
    }
    return batch == 1 ? json.toString() : "[" + json + "]";
  }

  private static void value(int hundredths, StringBuilder json) {
    if (hundredths % 2 == 0) {
      json.append(hundredths / 2);
    } else {
      json.append(hundredths / 100).append('.');
      json.append(hundredths / 10 % 10).append(hundredths % 10);
    }
  }

  private static String host(int point) {
    return "web" + point % SERIES + ".example.com";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
