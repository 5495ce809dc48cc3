package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.FirstWay;
import io.tsdbsuite.bench.rollup.job.HBaseRow;
import io.tsdbsuite.bench.rollup.job.KeptCounters;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormat;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.jspecify.annotations.Nullable;

/**
 * HBase's TableSnapshotInputFormat, whose record reader is a ClientSideRegionScanner over a
 * restored snapshot, with {@link FirstWay} for each row.
 */
final class StockWay implements Way {
  private final Job job;
  private final TableSnapshotInputFormat format = new TableSnapshotInputFormat();
  private final TaskAttemptContext context;

  /**
   * Restores the snapshot, as a job does before its start.
   *
   * @param restoreDir outside HBase's root
   * @param filter row filter, null for none
   */
  StockWay(Configuration conf, java.nio.file.Path restoreDir, @Nullable Filter filter)
      throws Exception {
    Scan scan = new Scan().addFamily(Bytes.toBytes(TestTable.FAMILY)).setCacheBlocks(false);
    scan.setFilter(filter);
    job = Job.getInstance(new Configuration(conf));
    job.getConfiguration().set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(scan));
    TableSnapshotInputFormat.setInput(job, TestTable.SNAPSHOT, new Path(TestTable.uri(restoreDir)));
    context =
        new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID(), new KeptCounters());
  }

  @Override
  public Totals run() throws Exception {
    Totals totals = new Totals();
    List<InputSplit> splits = format.getSplits(job);
    for (InputSplit split : splits) {
      try (RecordReader<ImmutableBytesWritable, Result> reader =
          format.createRecordReader(split, context)) {
        reader.initialize(split, context);
        while (reader.nextKeyValue()) {
          DoubleSummaryStatistics hour = FirstWay.summarise(new HBaseRow(reader.getCurrentValue()));
          totals.add(hour.getSum(), hour.getMin(), hour.getMax(), hour.getCount());
        }
      }
    }
    return totals;
  }
}
