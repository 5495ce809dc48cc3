package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.FirstWay;
import java.util.DoubleSummaryStatistics;
import java.util.List;
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

/**
 * HBase's TableSnapshotInputFormat, whose record reader is a ClientSideRegionScanner over a
 * restored snapshot, and of each row what {@link FirstWay} makes.
 */
final class StockWay implements Way {
  private final Job job;
  private final TableSnapshotInputFormat format = new TableSnapshotInputFormat();
  private final TaskAttemptContext context;

  /**
   * Restores the snapshot, as a job does before it begins.
   *
   * @param restoreDir outside HBase's root
   * @param filter of rows, or null
   */
  StockWay(Configuration conf, java.nio.file.Path restoreDir, Filter filter) throws Exception {
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
          DoubleSummaryStatistics hour =
              FirstWay.summarise(new Row(reader.getCurrentValue().rawCells()));
          totals.add(hour.getSum(), hour.getMin(), hour.getMax(), hour.getCount());
        }
      }
    }
    return totals;
  }

  /**
   * Counters that are kept, as MapReduce keeps them: the record reader enters HBase's metrics after
   * each row. Without a reporter, as in Spark, Hadoop makes all counters anew each time, which
   * takes several times what reading takes.
   */
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
    public void progress() {
      // Nobody watches.
    }

    @Override
    public float getProgress() {
      return 0;
    }

    @Override
    public void setStatus(String status) {
      // Nobody watches.
    }
  }

  /** The cells of a row as HBase delivers them. */
  private record Row(Cell[] rawCells) implements FirstWay.Cells {
    @Override
    public int cells() {
      return rawCells.length;
    }

    @Override
    public byte[] cloneQualifier(int cell) {
      return CellUtil.cloneQualifier(rawCells[cell]);
    }

    @Override
    public byte[] cloneValue(int cell) {
      return CellUtil.cloneValue(rawCells[cell]);
    }

    @Override
    public long timestamp(int cell) {
      return rawCells[cell].getTimestamp();
    }
  }
}
