package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.FirstWay;
import java.io.IOException;
import java.util.DoubleSummaryStatistics;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormat;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.StatusReporter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.jspecify.annotations.Nullable;

/**
 * The peer of {@link SuiteWay}: HBase's input format over a restored snapshot, whose record reader
 * is a ClientSideRegionScanner, with counters that persist as in MapReduce: its record reader
 * copies HBase's metrics into Hadoop's counters after each row, and without MapReduce, as on Spark,
 * Hadoop creates all counters again each time, some 90 us a row. This favours the stock way.
 */
public final class StockFormat extends TableSnapshotInputFormat {
  /** Called by Spark. */
  public StockFormat() {}

  /**
   * Restores a snapshot, as a job does before its start.
   *
   * @param conf has HBase's root
   * @param restoreDir outside HBase's root
   * @param filter row filter, null for none
   */
  static Job restore(
      Configuration conf, String snapshot, String family, Path restoreDir, @Nullable Filter filter)
      throws IOException {
    Scan scan = new Scan().addFamily(Bytes.toBytes(family)).setCacheBlocks(false);
    scan.setFilter(filter);
    Job job = Job.getInstance(conf);
    job.getConfiguration().set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(scan));
    setInput(job, snapshot, restoreDir);
    return job;
  }

  /** Reads all rows once, in this thread. */
  static Totals sum(Job job) throws IOException, InterruptedException {
    Totals totals = new Totals();
    StockFormat format = new StockFormat();
    TaskAttemptContext context =
        new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
    for (InputSplit split : format.getSplits(job)) {
      try (RecordReader<ImmutableBytesWritable, Result> reader =
          format.createRecordReader(split, context)) {
        reader.initialize(split, context);
        while (reader.nextKeyValue()) {
          DoubleSummaryStatistics hour = summarise(reader.getCurrentValue());
          totals.add(hour.getSum(), hour.getMin(), hour.getMax(), hour.getCount());
        }
      }
    }
    return totals;
  }

  /** Sum, minimum, maximum and count of a row by {@link FirstWay}. */
  static DoubleSummaryStatistics summarise(Result row) {
    return FirstWay.summarise(new Row(row.rawCells()));
  }

  @Override
  public RecordReader<ImmutableBytesWritable, Result> createRecordReader(
      InputSplit split, TaskAttemptContext context) throws IOException {
    return new Kept(super.createRecordReader(split, context));
  }

  /** The cells of a row as HBase delivers them. */
  private record Row(Cell[] all) implements FirstWay.Cells {
    @Override
    public int cells() {
      return all.length;
    }

    @Override
    public byte[] cloneQualifier(int cell) {
      return CellUtil.cloneQualifier(all[cell]);
    }

    @Override
    public byte[] cloneValue(int cell) {
      return CellUtil.cloneValue(all[cell]);
    }

    @Override
    public long timestamp(int cell) {
      return all[cell].getTimestamp();
    }
  }

  /** Replaces the context's counters. */
  private static final class Kept extends RecordReader<ImmutableBytesWritable, Result> {
    private final RecordReader<ImmutableBytesWritable, Result> reader;

    Kept(RecordReader<ImmutableBytesWritable, Result> reader) {
      this.reader = reader;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context)
        throws IOException, InterruptedException {
      reader.initialize(
          split,
          new TaskAttemptContextImpl(
              context.getConfiguration(), context.getTaskAttemptID(), new KeptCounters()));
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
      return reader.nextKeyValue();
    }

    @Override
    public ImmutableBytesWritable getCurrentKey() throws IOException, InterruptedException {
      return reader.getCurrentKey();
    }

    @Override
    public Result getCurrentValue() throws IOException, InterruptedException {
      return reader.getCurrentValue();
    }

    @Override
    public float getProgress() throws IOException, InterruptedException {
      return reader.getProgress();
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  private static final class KeptCounters extends StatusReporter {
    private final Counters counters = new Counters();

    @Override
    public Counter getCounter(Enum<?> name) {
      return counters.findCounter(name);
    }

    @Override
    public Counter getCounter(String group, String name) {
      return counters.findCounter(group, name);
    }

    @Override
    public void progress() {}

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void setStatus(String status) {}
  }
}
