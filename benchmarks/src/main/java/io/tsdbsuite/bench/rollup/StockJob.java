package io.tsdbsuite.bench.rollup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.uid.UidRow;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The baseline job, made of stock parts, which sends the same messages: HBase's input format on
 * Spark with a row filter, a straightforward sum of each row, names from a broadcast map, Jackson,
 * and a producer with Kafka's defaults.
 */
final class StockJob {
  private static final int UID_BYTES = 3;
  private static final int PAIRS = UID_BYTES + Integer.BYTES;

  private final Settings settings;

  StockJob(Settings settings) {
    this.settings = settings;
  }

  /**
   * Counts of a run.
   *
   * @param points number of aggregated points
   * @param messages number of acknowledged messages
   */
  record Made(long points, long messages) implements Serializable {}

  Made run(String snapshot) throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(Settings.conf())) {
      Map<String, String> uids =
          new HashMap<>(
              rows(spark, Tables.UIDS, UidRow.NAME_FAMILY, null)
                  .flatMapToPair(row -> names(row).iterator())
                  .collectAsMap());
      Broadcast<Map<String, String>> names = spark.broadcast(uids);
      HourFilter day =
          new HourFilter(UID_BYTES, DataRows.START, DataRows.end(settings.number("hours")));
      String bootstrap = settings.get("bootstrap");
      String topic = settings.get("topic");
      return rows(spark, snapshot, Tables.FAMILY, day)
          .mapPartitions(rows -> List.of(send(rows, names.value(), bootstrap, topic)).iterator())
          .reduce((a, b) -> new Made(a.points + b.points, a.messages + b.messages));
    }
  }

  private JavaRDD<Result> rows(
      JavaSparkContext spark, String snapshot, String family, @Nullable Filter filter)
      throws Exception {
    Configuration conf = HBaseConfiguration.create(spark.hadoopConfiguration());
    conf.set(HConstants.HBASE_DIR, settings.get("root"));
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    Job job =
        StockFormat.restore(conf, snapshot, family, new Path(settings.get("restore")), filter);
    return spark
        .newAPIHadoopRDD(
            job.getConfiguration(), StockFormat.class, ImmutableBytesWritable.class, Result.class)
        .values();
  }

  private static List<Tuple2<String, String>> names(Result row) {
    List<Tuple2<String, String>> names = new ArrayList<>();
    for (Cell cell : row.rawCells()) {
      String kind = Bytes.toString(CellUtil.cloneQualifier(cell));
      names.add(
          new Tuple2<>(
              kind + Bytes.toHex(row.getRow()), Bytes.toString(CellUtil.cloneValue(cell))));
    }
    return names;
  }

  private static Made send(
      Iterator<Result> rows, Map<String, String> names, String bootstrap, String topic) {
    ObjectMapper mapper = new ObjectMapper();
    AtomicLong acknowledged = new AtomicLong();
    long points = 0;
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap),
            new StringSerializer(),
            new StringSerializer())) {
      while (rows.hasNext()) {
        Result row = rows.next();
        DoubleSummaryStatistics hour = StockFormat.summarise(row);
        points += hour.getCount();
        Map<String, Object> message = message(row.getRow(), hour, names);
        String key = "" + message.get("metric") + message.get("tags");
        var unused =
            producer.send(
                new ProducerRecord<>(topic, key, mapper.writeValueAsString(message)),
                (metadata, failure) -> {
                  if (failure == null) {
                    acknowledged.incrementAndGet();
                  }
                });
      }
      producer.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    return new Made(points, acknowledged.get());
  }

  private static Map<String, Object> message(
      byte[] key, DoubleSummaryStatistics hour, Map<String, String> names) {
    Map<String, String> tags = new TreeMap<>();
    for (int at = PAIRS; at < key.length; at += 2 * UID_BYTES) {
      tags.put(
          names.get("tagk" + Bytes.toHex(key, at, UID_BYTES)),
          names.get("tagv" + Bytes.toHex(key, at + UID_BYTES, UID_BYTES)));
    }
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("sum", hour.getSum());
    values.put("min", hour.getMin());
    values.put("max", hour.getMax());
    values.put("count", hour.getCount());
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("type", "Rollup");
    message.put("v", 1);
    message.put("metric", names.get("metrics" + Bytes.toHex(key, 0, UID_BYTES)));
    message.put("tags", tags);
    message.put("timestamp", Bytes.toInt(key, UID_BYTES));
    message.put("interval", "1h");
    message.put("values", values);
    return message;
  }
}
