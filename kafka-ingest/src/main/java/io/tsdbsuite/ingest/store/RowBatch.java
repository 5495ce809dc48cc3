package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.row.RowKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.hbase.async.Bytes;
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
  private static final byte[] FAMILY = RowKey.family();
  private static final int MAX_CELLS_OF_A_ROW = 256;

  private static final int MOST_ROLLUPS = 8192;

  /** Several such batches are within the in-flight limit, and their RPCs are large. */
  private static final int MANY_ROLLUPS = 2048;

  /** Rollups of a row from which on it counts as full: half a day of hours. */
  private static final int FULL_ROW = 12;

  private final Function<PutRequest, Deferred<Object>> client;
  private final Map<RowId, Row> rows = new HashMap<>();
  private int rollups;

  /**
   * Creates an empty batch.
   *
   * @param client sends a put
   */
  RowBatch(Function<PutRequest, Deferred<Object>> client) {
    this.client = client;
  }

  /** Number of rollups added and not sent. */
  public int rollups() {
    return rollups;
  }

  /**
   * Whether to send it although more messages are queued: it has very many rollups, or many in full
   * rows, so that more of them would hardly make the puts larger.
   */
  public boolean isFull() {
    return rollups >= MOST_ROLLUPS
        || (rollups >= MANY_ROLLUPS && rollups >= FULL_ROW * rows.size());
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
      row = new Row(id);
      rows.put(id, row);
    }
    rollups++;
    Deferred<Object> answer = row.add(qualifiers, values);
    if (row.cells >= MAX_CELLS_OF_A_ROW) {
      rows.remove(id);
      send(row);
    }
    return answer;
  }

  /**
   * Passes all puts to HBase's client, in the order of tables and row keys.
   *
   * <p>HBase's client fills an RPC with consecutive puts for one region server, and the region
   * server writes the puts of each region in it to the WAL on their own. In the order of row keys
   * an RPC has puts for few regions: docs/benchmarks.md.
   */
  public void send() {
    Row[] inOrder = rows.values().toArray(new Row[0]);
    Arrays.sort(inOrder, (a, b) -> RowId.compare(a.id, b.id));
    for (Row row : inOrder) {
      send(row);
    }
    rows.clear();
    rollups = 0;
  }

  private void send(Row row) {
    Deferred<Object> put;
    try {
      put = client.apply(row.id.request(row));
    } catch (Throwable e) {
      // Also an Error: else the rows before this one would be sent, and answered, twice.
      put = Deferred.fromError(e instanceof Exception ? (Exception) e : new RuntimeException(e));
    }
    put.addBoth(row);
  }

  /** A put with a timestamp, milliseconds since the epoch, or {@link ElementSink#NOW}. */
  static PutRequest request(
      byte[] table, byte[] key, byte[][] qualifiers, byte[][] values, long timestamp) {
    return timestamp == ElementSink.NOW
        ? new PutRequest(table, key, FAMILY, qualifiers, values)
        : new PutRequest(table, key, FAMILY, qualifiers, values, timestamp);
  }

  private static byte[][] joined(List<byte[][]> parts, int cells) {
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
      return RowBatch.request(
          table, key, joined(row.qualifiers, row.cells), joined(row.values, row.cells), timestamp);
    }

    /** Compares tables and row keys; puts of one row with different timestamps are equal. */
    static int compare(RowId a, RowId b) {
      // The rollups of one interval share the array of their table's name.
      int tables = a.table == b.table ? 0 : Bytes.memcmp(a.table, b.table);
      return tables != 0 ? tables : Bytes.memcmp(a.key, b.key);
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
    private final RowId id;
    private final List<byte[][]> qualifiers = new ArrayList<>(4);
    private final List<byte[][]> values = new ArrayList<>(4);
    private final List<Deferred<Object>> waiting = new ArrayList<>(4);
    private int cells;

    Row(RowId id) {
      this.id = id;
    }

    Deferred<Object> add(byte[][] moreQualifiers, byte[][] moreValues) {
      qualifiers.add(moreQualifiers);
      values.add(moreValues);
      cells += moreValues.length;
      Deferred<Object> answer = new Deferred<>();
      waiting.add(answer);
      return answer;
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
