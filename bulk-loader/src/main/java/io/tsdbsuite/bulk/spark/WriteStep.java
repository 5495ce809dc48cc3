package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.run.LateRanges;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.bulk.run.Repeats;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Writes the HFiles of all regions. Replaces the HFiles of a region if other writers have changed
 * its rows since.
 */
final class WriteStep {
  private final SparkJobs jobs;
  private final RegionTask task;
  private final LateCheck lateCheck;
  private final JavaSparkContext spark;
  private final LoadInput input;
  private final InstantSource clock;
  private final BulkLoaderReport report;
  private final Map<Integer, RegionTask.Result> written = new TreeMap<>();

  /**
   * @param jobs over the shuffled input
   */
  WriteStep(
      SparkJobs jobs,
      LoadPlan plan,
      Broadcast<SerializableConfiguration> conf,
      LateCheck lateCheck,
      JavaSparkContext spark,
      LoadInput input,
      InstantSource clock,
      BulkLoaderReport report) {
    this.jobs = jobs;
    this.task = new RegionTask(plan, conf);
    this.lateCheck = lateCheck;
    this.spark = spark;
    this.input = input;
    this.clock = clock;
    this.report = report;
  }

  /**
   * Writes.
   *
   * @return names of the files to be loaded
   * @throws JobException when a region must not be loaded, or others write all the time
   */
  List<String> run(int regions) throws IOException {
    write(IntStream.range(0, regions).boxed().toList());
    Repeats repeats = new Repeats("start the load again");
    for (SortedMap<Integer, String> late = late(); !late.isEmpty(); late = late()) {
      String why = LateRanges.why(late.values().iterator().next());
      repeats.next(why);
      // Files of the first task of a region are removed at the end.
      write(List.copyOf(late.keySet()));
      report.warn(Repeats.warning(why, late.size()));
    }
    List<String> files = new ArrayList<>();
    for (RegionTask.Result result : written.values()) {
      files.addAll(result.files());
      report.tally(result.tally());
    }
    return files;
  }

  private SortedMap<Integer, String> late() throws IOException {
    SortedMap<Integer, String> found = new TreeMap<>();
    report.timed("lookAgain", clock, () -> found.putAll(lateCheck.find(spark, written.values())));
    return found;
  }

  private void write(List<Integer> regions) throws IOException {
    report.timed(
        "write",
        clock,
        () ->
            jobs.run(
                regions, "write HFiles for " + regions.size() + " regions", task, this::isTaken));
    for (RegionTask.Result result : written.values()) {
      if (result.failure() != null) {
        throw result.failure().exception(input);
      }
    }
  }

  private boolean isTaken(byte[] bytes) {
    RegionTask.Result result = JavaBytes.read(bytes, RegionTask.Result.class);
    written.put(result.region(), result);
    return result.failure() == null;
  }
}
