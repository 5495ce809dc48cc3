package io.tsdbsuite.bench.rollup.job;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/**
 * HBase's input format with persistent counters. This favours the stock job: on Spark, creating the
 * counters anew takes some 90 us per row.
 */
public final class StockFormat extends TableSnapshotInputFormat {
  /** Called by Spark. */
  public StockFormat() {}

  @Override
  public RecordReader<ImmutableBytesWritable, Result> createRecordReader(
      InputSplit split, TaskAttemptContext context) throws IOException {
    RecordReader<ImmutableBytesWritable, Result> reader = super.createRecordReader(split, context);
    return new Kept(reader);
  }

  /** Replaces the context of Spark. */
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
}
