package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.row.RowKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hbase.async.Bytes;
import org.hbase.async.PutRequest;
import org.jspecify.annotations.Nullable;

/**
 * Collects rollups, and writes the rollups of one row in one put, and then their parts of a packed
 * table in another one. Not thread-safe: each writing thread has its own.
 *
 * <p>A part is put when HBase has acknowledged all that its row changes in the plain table, so that
 * what is packed is in the plain table, also after a crash. If one of these writes fails, no part
 * is put, and all rollups of the row fail: they are read again together.
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
  private final PackedStats stats;
  private final PartFlush partFlush;
  private final PackedParts parts = new PackedParts();
  private final Map<RowId, Row> rows = new HashMap<>();
  private int rollups;

  /** The largest result of {@link #now}, and that of what was sent. */
  private long latest;

  private long latestSent;

  /**
   * Creates an empty batch.
   *
   * @param client sends a put
   * @param stats counts the parts of packed tables
   * @param partFlush sends parts that HBase's client collects
   */
  RowBatch(Function<PutRequest, Deferred<Object>> client, PackedStats stats, PartFlush partFlush) {
    this.client = client;
    this.stats = stats;
    this.partFlush = partFlush;
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
   * The timestamp of a rollup of a packed table that has none of its own: HBase cannot set it,
   * since the part has it, too. It is later than those of rollups that were sent, so that of two
   * rollups of a slot the later one is newer.
   *
   * @param clock now, milliseconds since the epoch
   */
  long now(long clock) {
    long now = Math.max(clock, latestSent + 1);
    latest = Math.max(latest, now);
    return now;
  }

  /**
   * Adds the cells of a rollup; the Deferred is called back after {@link #send}, when HBase has
   * acknowledged them and their part.
   *
   * @param packed of the rollup's interval; null if it has none
   * @param timestamp timestamp of the cells, milliseconds since the epoch, or, without a packed
   *     table, {@link ElementSink#NOW}; cells with different timestamps cannot share a put
   */
  Deferred<Object> add(
      byte[] table,
      @Nullable PackedTable packed,
      byte[] key,
      byte[][] qualifiers,
      byte[][] values,
      long timestamp) {
    Row row = row(table, packed, key, timestamp);
    Deferred<Object> answer = row.add(qualifiers, values);
    if (row.cells >= MAX_CELLS_OF_A_ROW) {
      rows.remove(row.id);
      send(row);
    }
    return answer;
  }

  /**
   * Takes a rollup back in the packed table; the Deferred is called back after {@link #send}, when
   * HBase has acknowledged the deletion and then the part.
   *
   * @param table the plain one, since the rollups of the row share the part
   * @param timestamp of the delete markers in the plain table, milliseconds since the epoch
   * @param deletion answer of the plain table
   */
  Deferred<Object> takeBack(
      byte[] table,
      PackedTable packed,
      byte[] key,
      int slot,
      long timestamp,
      Deferred<Object> deletion) {
    return row(table, packed, key, timestamp).takeBack(slot, deletion);
  }

  private Row row(byte[] table, @Nullable PackedTable packed, byte[] key, long timestamp) {
    RowId id = new RowId(table, packed, key, timestamp);
    Row row = rows.get(id);
    if (row == null) {
      row = new Row(id);
      rows.put(id, row);
    }
    rollups++;
    return row;
  }

  /**
   * Passes all puts to HBase's client, in the order of tables and row keys; those of packed tables
   * follow in the order of the answers.
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
    latestSent = latest;
  }

  private void send(Row row) {
    PackedTable packed = row.id.packed;
    if (packed == null) {
      send(() -> row.id.request(row)).addBoth(row);
    } else {
      sendPacked(row, packed);
    }
    latestSent = latest;
  }

  private void sendPacked(Row row, PackedTable packed) {
    List<Deferred<Object>> plain = new ArrayList<>(row.deletions);
    PutRequest made = null;
    try {
      // In this thread: those of HBase's client serve the whole TSD.
      made = parts.put(packed, row.id.key, row.id.timestamp, row.qualifiers, row.values, row.gone);
      if (row.cells > 0) {
        plain.add(send(() -> row.id.request(row)));
      }
    } catch (Throwable e) {
      plain.add(failed(e));
    }
    PutRequest part = made;
    partFlush.expect();
    RollupWriter.all(plain)
        .addCallbacks(
            stored -> {
              sendPart(Objects.requireNonNull(part), row);
              partFlush.put();
              return null;
            },
            (Exception failure) -> {
              row.call(failure);
              partFlush.notPut();
              return null;
            });
  }

  private void sendPart(PutRequest part, Row row) {
    send(() -> part)
        .addBoth(
            answer -> {
              stats.add(part.qualifiers().length, !(answer instanceof Throwable));
              return answer;
            })
        .addBoth(row);
  }

  private Deferred<Object> send(Supplier<PutRequest> put) {
    try {
      return client.apply(put.get());
    } catch (Throwable e) {
      // Also an Error: else the rows before this one would be sent, and answered, twice.
      return failed(e);
    }
  }

  private static Deferred<Object> failed(Throwable e) {
    return Deferred.fromError(e instanceof Exception ? (Exception) e : new RuntimeException(e));
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

  /** Tables, row key and timestamp; equal by their bytes, packed tables by identity. */
  private static final class RowId {
    private final byte[] table;
    private final @Nullable PackedTable packed;
    private final byte[] key;
    private final long timestamp;
    private final int hash;

    RowId(byte[] table, @Nullable PackedTable packed, byte[] key, long timestamp) {
      this.table = table;
      this.packed = packed;
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
          && packed == that.packed
          && Arrays.equals(key, that.key)
          && Arrays.equals(table, that.table);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** The rollups of one row, and the Deferreds of their messages. */
  private static final class Row implements Callback<Object, Object> {
    private final RowId id;
    private final List<byte[][]> qualifiers = new ArrayList<>(4);
    private final List<byte[][]> values = new ArrayList<>(4);
    private final List<Deferred<Object>> waiting = new ArrayList<>(4);

    /** Slots that are taken back in the packed table. */
    private List<Integer> gone = Collections.emptyList();

    /** The answers to the deletions of these slots in the plain table. */
    private List<Deferred<Object>> deletions = Collections.emptyList();

    private int cells;

    Row(RowId id) {
      this.id = id;
    }

    Deferred<Object> add(byte[][] moreQualifiers, byte[][] moreValues) {
      qualifiers.add(moreQualifiers);
      values.add(moreValues);
      cells += moreValues.length;
      return waiting();
    }

    Deferred<Object> takeBack(int slot, Deferred<Object> deletion) {
      if (gone.isEmpty()) {
        gone = new ArrayList<>(1);
        deletions = new ArrayList<>(1);
      }
      gone.add(slot);
      deletions.add(deletion);
      return waiting();
    }

    private Deferred<Object> waiting() {
      Deferred<Object> answer = new Deferred<>();
      waiting.add(answer);
      return answer;
    }

    /** Takes the last answer to its puts, or the first failure. */
    @Override
    public @Nullable Object call(Object answer) {
      for (Deferred<Object> each : waiting) {
        each.callback(answer);
      }
      return null;
    }
  }
}
