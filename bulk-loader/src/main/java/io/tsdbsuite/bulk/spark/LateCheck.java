package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.run.LateRanges;
import io.tsdbsuite.bulk.write.BulkLoad;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.IOException;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Second check of the table, just before the bulk load: a task for each finished HFile compares it
 * with the table once more.
 *
 * @param conf configuration of HBase's client and of file systems
 * @param began start of the load
 */
record LateCheck(LoadPlan plan, Broadcast<SerializableConfiguration> conf, Instant began)
    implements PartitionTask {
  /**
   * A finished HFile that waits for the bulk load, and the result of its check.
   *
   * @param region index of the region whose rows it has
   * @param text name of the file, relative to the load's directory; of the result the first row
   *     that other writers have changed, for messages, or null if there is none
   */
  private record OfRegion(int region, @Nullable String text) implements Serializable {}

  @Override
  public byte[] run(TaskContext context, Iterator<Tuple2<byte[], byte[]>> records) {
    OfRegion file = JavaBytes.read(records.next()._2(), OfRegion.class);
    Configuration configuration = conf.value().value();
    ExecutorHBase hbase = ExecutorHBase.of(plan, configuration);
    try (HFileDir dir = BulkLoad.directory(configuration, plan.write().hfileDir(), plan.runId())) {
      List<String> name = List.of(String.valueOf(file.text()));
      String row = new LateRanges(hbase.target(), began).first(dir, dir.finished(name).get(0));
      return JavaBytes.of(new OfRegion(file.region(), row));
    } catch (IOException e) {
      throw JobException.outside(
          "HFiles in " + plan.write().hfileDir() + ": " + StorageFailures.reason(e), e);
    }
  }

  /**
   * Runs the tasks.
   *
   * @return regions with rows that other writers have changed, each with the first of them, for
   *     messages
   */
  SortedMap<Integer, String> find(JavaSparkContext spark, Collection<RegionTask.Result> written) {
    List<Tuple2<byte[], byte[]>> files = new ArrayList<>();
    for (RegionTask.Result result : written) {
      for (String name : result.files()) {
        byte[] file = JavaBytes.of(new OfRegion(result.region(), name));
        files.add(new Tuple2<>(new byte[0], file));
      }
    }
    SortedMap<Integer, String> found = new TreeMap<>();
    if (files.isEmpty()) {
      return found;
    }
    new SparkJobs(spark, spark.parallelizePairs(files, files.size()), plan.runId())
        .run(
            IntStream.range(0, files.size()).boxed().toList(),
            "compare " + files.size() + " HFiles with the table once more",
            this,
            bytes -> {
              OfRegion late = JavaBytes.read(bytes, OfRegion.class);
              if (late.text() != null) {
                found.putIfAbsent(late.region(), late.text());
              }
              return true;
            });
    return found;
  }
}
