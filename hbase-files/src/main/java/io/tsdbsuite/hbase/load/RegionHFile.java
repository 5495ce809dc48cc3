package io.tsdbsuite.hbase.load;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.StoreUtils;
import org.apache.hadoop.hbase.util.Bytes;

/** An HFile for a bulk load, with the same properties as a file of HBase's HFileOutputFormat2. */
final class RegionHFile {
  private final HFileDir dir;
  private final String name;
  private final long createdMillis;
  private final StoreFileWriter writer;

  /** Begins a file. */
  RegionHFile(HFileDir dir, String name, TableLayout table, long nowMillis) throws IOException {
    this.dir = dir;
    this.name = name;
    this.createdMillis = nowMillis;
    Configuration conf = dir.conf();
    HFileContext context =
        new HFileContextBuilder()
            .withCompression(table.compression())
            .withDataBlockEncoding(table.encoding())
            .withBlockSize(table.blockSize())
            .withChecksumType(StoreUtils.getChecksumType(conf))
            .withBytesPerCheckSum(StoreUtils.getBytesPerChecksum(conf))
            .withColumnFamily(table.family().getName())
            .withTableName(table.name().getName())
            .withCreateTime(nowMillis)
            .build();
    this.writer =
        new StoreFileWriter.Builder(conf, CacheConfig.DISABLED, dir.files())
            .withFilePath(new Path(dir.writing(), name))
            .withBloomType(table.bloom())
            .withFileContext(context)
            .build();
  }

  void append(Cell cell) throws IOException {
    writer.append(cell);
  }

  /** Bytes written so far, without the block that is being filled. */
  long size() throws IOException {
    return writer.getPos();
  }

  /** Closes the file and moves it to the finished files. */
  Path finish() throws IOException {
    writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(createdMillis));
    writer.appendFileInfo(HStoreFile.BULKLOAD_TASK_KEY, Bytes.toBytes(name));
    writer.appendFileInfo(HStoreFile.MAJOR_COMPACTION_KEY, Bytes.toBytes(false));
    writer.appendFileInfo(HStoreFile.EXCLUDE_FROM_MINOR_COMPACTION_KEY, Bytes.toBytes(false));
    writer.appendTrackedTimestampsToMetadata();
    writer.close();
    Path place = new Path(dir.family(), name);
    if (!dir.files().rename(writer.getPath(), place)) {
      throw new IOException("cannot be renamed to " + place);
    }
    return place;
  }

  /** Closes and abandons the file. */
  void abandon() throws IOException {
    writer.close();
    dir.files().delete(writer.getPath(), false);
  }
}
