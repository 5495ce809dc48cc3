package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hbase.async.HBaseClient;
import org.hbase.async.PutRequest;
import org.jspecify.annotations.Nullable;

/**
 * Collects rollups, and writes the rollups of one row in one put. Not thread-safe: each writing
 * thread has its own.
 *
 * <p>A row of a rollup table holds a day or a month of a series, and a rollup job writes the hours
 * of a series to the topic shortly after each other. One put for several hours costs HBase much
 * less than one put per hour: docs/benchmarks.md. A batch does not wait to fill up: it is sent as
 * soon as no message is queued.
 *
 * <p>The same cell must not be added twice before {@link #send}.
 */
public final class RowBatch {
  private static final byte[] FAMILY = {'t'};
  private static final int MAX_CELLS_OF_A_ROW = 256;

  private final HBaseClient client;
  private final Map<RowId, Row> rows = new HashMap<>();
  private int messages;

  RowBatch(HBaseClient client) {
    this.client = client;
  }

  /** Number of messages added and not sent. */
  public int messages() {
    return messages;
  }

  /**
   * Adds cells; the Deferred is called back after {@link #send}.
   *
   * @param timestamp timestamp of the cells, milliseconds since the epoch, or {@link
   *     ElementSink#NOW}; cells with different timestamps cannot share a put
   */
  Deferred<Object> add(
      byte[] table, byte[] key, byte[][] qualifiers, byte[][] values, long timestamp) {
    RowId id = new RowId(table, key, timestamp);
    Row row = rows.get(id);
    if (row == null) {
      row = new Row();
      rows.put(id, row);
    }
    messages++;
    Deferred<Object> answer = row.add(qualifiers, values);
    if (row.cells >= MAX_CELLS_OF_A_ROW) {
      rows.remove(id);
      send(id, row);
    }
    return answer;
  }

  /** Passes all puts to HBase's client. */
  public void send() {
    rows.forEach(this::send);
    rows.clear();
    messages = 0;
  }

  private void send(RowId id, Row row) {
    Deferred<Object> put;
    try {
      put = client.put(id.request(row));
    } catch (RuntimeException e) {
      put = Deferred.fromError(e);
    }
    put.addBoth(row);
  }

  /** Table, row key and timestamp; equal by their bytes. */
  private static final class RowId {
    private final byte[] table;
    private final byte[] key;
    private final long timestamp;
    private final int hash;

    RowId(byte[] table, byte[] key, long timestamp) {
      this.table = table;
      this.key = key;
      this.timestamp = timestamp;
      this.hash = Arrays.hashCode(key) ^ Long.hashCode(timestamp);
    }

    PutRequest request(Row row) {
      return timestamp == ElementSink.NOW
          ? new PutRequest(table, key, FAMILY, row.qualifiers(), row.values())
          : new PutRequest(table, key, FAMILY, row.qualifiers(), row.values(), timestamp);
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof RowId)) {
        return false;
      }
      RowId that = (RowId) other;
      return hash == that.hash
          && timestamp == that.timestamp
          && Arrays.equals(key, that.key)
          && Arrays.equals(table, that.table);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** The cells of one row, and the Deferreds of their messages. */
  private static final class Row implements Callback<Object, Object> {
    private final List<byte[][]> qualifiers = new ArrayList<>(4);
    private final List<byte[][]> values = new ArrayList<>(4);
    private final List<Deferred<Object>> waiting = new ArrayList<>(4);
    private int cells;

    Deferred<Object> add(byte[][] moreQualifiers, byte[][] moreValues) {
      qualifiers.add(moreQualifiers);
      values.add(moreValues);
      cells += moreValues.length;
      Deferred<Object> answer = new Deferred<>();
      waiting.add(answer);
      return answer;
    }

    byte[][] qualifiers() {
      return joined(qualifiers);
    }

    byte[][] values() {
      return joined(values);
    }

    private byte[][] joined(List<byte[][]> parts) {
      if (parts.size() == 1) {
        return parts.get(0);
      }
      byte[][] all = new byte[cells][];
      int at = 0;
      for (byte[][] part : parts) {
        System.arraycopy(part, 0, all, at, part.length);
        at += part.length;
      }
      return all;
    }

    @Override
    public @Nullable Object call(Object answer) {
      for (Deferred<Object> each : waiting) {
        each.callback(answer);
      }
      return null;
    }
  }
}
