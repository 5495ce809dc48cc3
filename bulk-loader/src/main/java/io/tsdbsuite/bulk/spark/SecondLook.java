package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.job.spark.JavaBytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/** Second check of the table, just before the bulk load: a task for each HFile. */
final class SecondLook {
  private final JavaSparkContext spark;
  private final LoadPlan plan;
  private final Broadcast<SerializableConfiguration> conf;
  private final Instant began;

  /**
   * @param began when the load began
   */
  SecondLook(
      JavaSparkContext spark,
      LoadPlan plan,
      Broadcast<SerializableConfiguration> conf,
      Instant began) {
    this.spark = spark;
    this.plan = plan;
    this.conf = conf;
    this.began = began;
  }

  /**
   * Runs the tasks.
   *
   * @return regions with rows that other writers have changed, each with the first of them, for
   *     messages
   */
  SortedMap<Integer, String> find(Collection<RegionResult> written) {
    List<Tuple2<byte[], byte[]>> files = new ArrayList<>();
    for (RegionResult result : written) {
      for (String name : result.files()) {
        byte[] file = JavaBytes.of(new FinishedFile(result.region(), name));
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
            new LateTask(plan, conf, began),
            bytes -> {
              LateRow late = JavaBytes.read(bytes, LateRow.class);
              if (late.row() != null) {
                found.putIfAbsent(late.region(), late.row());
              }
              return true;
            });
    return found;
  }
}
