package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import net.opentsdb.core.TSDB;
import net.opentsdb.meta.TSMeta;
import org.hbase.async.AtomicIncrementRequest;
import org.hbase.async.Bytes;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseClient;
import org.hbase.async.PutRequest;
import org.jspecify.annotations.Nullable;

/** The meta table of a TSD, through the TSD's own client. */
public final class HBaseMetaTable implements MetaTable {
  private final TSDB tsdb;

  /** The table that the TSD's configuration names. */
  public HBaseMetaTable(TSDB tsdb) {
    this.tsdb = tsdb;
  }

  @Override
  public Deferred<Long> increment(byte[] tsuid, long points) {
    AtomicIncrementRequest increment =
        new AtomicIncrementRequest(
            tsdb.metaTable(), tsuid, TSMeta.FAMILY(), TSMeta.COUNTER_QUALIFIER(), points);
    // Without this the client retries by itself when the connection breaks before the answer, and
    // the caller does not learn that the increment may have been applied twice.
    increment.setFailfast(true);
    return client().atomicIncrement(increment);
  }

  @Override
  public Deferred<Boolean> refresh(byte[] tsuid, byte[] value) {
    return client().compareAndSet(put(tsuid, value), value);
  }

  @Override
  public Deferred<Boolean> create(byte[] tsuid) {
    return client().atomicCreate(put(tsuid, Bytes.fromLong(1)));
  }

  @Override
  public Deferred<byte @Nullable []> counter(byte[] tsuid) {
    GetRequest get = new GetRequest(tsdb.metaTable(), tsuid);
    get.family(TSMeta.FAMILY());
    get.qualifier(TSMeta.COUNTER_QUALIFIER());
    return client()
        .get(get)
        .addCallback(row -> row == null || row.isEmpty() ? null : row.get(0).value());
  }

  @Override
  public Deferred<Boolean> storeTsMeta(byte[] tsuid) {
    return TSMeta.storeIfNecessary(tsdb, tsuid);
  }

  private PutRequest put(byte[] tsuid, byte[] value) {
    return new PutRequest(
        tsdb.metaTable(), tsuid, TSMeta.FAMILY(), TSMeta.COUNTER_QUALIFIER(), value);
  }

  private HBaseClient client() {
    return tsdb.getClient();
  }
}
