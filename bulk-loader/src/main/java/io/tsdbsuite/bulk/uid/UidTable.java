package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.bulk.hbase.ParallelTable;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads and writes cells of the UID table ({@link UidRow}) in batches. Cell timestamps are the
 * region server's, as for a TSD. All failures of HBase are {@link JobException#outside}, naming the
 * table and a row. Thread-safe.
 */
final class UidTable implements Closeable {
  private static final byte[] ID = UidRow.idFamily();
  private static final byte[] NAME = UidRow.nameFamily();
  private static final byte[] COUNTERS = UidRow.counterRow();

  private final TableName name;
  private final ParallelTable table;

  UidTable(Connection connection, TableName name) {
    this.name = name;
    this.table = new ParallelTable(connection, name);
  }

  /** The UIDs of names, in the order of the names; null for a name without a UID. */
  List<byte[]> uids(UidKind kind, List<byte[]> names) {
    return values(ID, kind, names);
  }

  /** The names of UIDs, in the order of the UIDs; null for a UID without a name. */
  List<byte[]> names(UidKind kind, List<byte[]> uids) {
    return values(NAME, kind, uids);
  }

  /**
   * Writes the reverse mapping of UIDs that have none; returns for each UID whether it was written.
   */
  boolean[] createReverse(UidKind kind, List<byte[]> uids, List<byte[]> names) {
    return create(NAME, kind, uids, names);
  }

  /**
   * Writes the forward mapping of names that have none; returns for each name whether it was
   * written.
   */
  boolean[] createForward(UidKind kind, List<byte[]> names, List<byte[]> uids) {
    return create(ID, kind, names, uids);
  }

  /** Deletes the reverse mapping of UIDs that still have this name. */
  void removeReverse(UidKind kind, List<byte[]> uids, List<byte[]> names) {
    byte[] qualifier = kind.qualifierBytes();
    List<CheckAndMutate> removals = new ArrayList<>(uids.size());
    for (int i = 0; i < uids.size(); i++) {
      removals.add(
          CheckAndMutate.newBuilder(uids.get(i))
              .ifMatches(NAME, qualifier, CompareOperator.EQUAL, names.get(i))
              .build(new Delete(uids.get(i)).addColumns(NAME, qualifier)));
    }
    boolean[] unused = table.checkAndMutate(removals);
  }

  /** The highest assigned UID as a number, 0 if there is none. */
  long counter(UidKind kind) {
    byte[] qualifier = kind.qualifierBytes();
    return counter(
        kind, table.get(List.of(new Get(COUNTERS).addColumn(ID, qualifier))).get(0), qualifier);
  }

  /** Increments the counter and returns its new value. */
  long increment(UidKind kind, int by) {
    byte[] qualifier = kind.qualifierBytes();
    return counter(
        kind, table.increment(new Increment(COUNTERS).addColumn(ID, qualifier, by)), qualifier);
  }

  private long counter(UidKind kind, Result result, byte[] qualifier) {
    byte[] value = result.getValue(ID, qualifier);
    if (value == null) {
      return 0;
    }
    if (value.length != Bytes.SIZEOF_LONG || value[0] < 0) {
      throw JobException.outside(
          "table '%s': the counter of %s (row 00) must be 8 bytes and 0 or more, found %s"
              .formatted(name, kind.qualifier(), Bytes.toHex(value)));
    }
    return Bytes.toLong(value);
  }

  private List<byte[]> values(byte[] family, UidKind kind, List<byte[]> rows) {
    byte[] qualifier = kind.qualifierBytes();
    List<Get> gets = new ArrayList<>(rows.size());
    for (byte[] row : rows) {
      gets.add(new Get(row).addColumn(family, qualifier));
    }
    List<byte[]> values = new ArrayList<>(rows.size());
    for (Result result : table.get(gets)) {
      byte[] value = result.getValue(family, qualifier);
      // An empty value counts as absent, as in a TSD.
      values.add(value == null || value.length == 0 ? null : value);
    }
    return values;
  }

  private boolean[] create(byte[] family, UidKind kind, List<byte[]> rows, List<byte[]> values) {
    byte[] qualifier = kind.qualifierBytes();
    List<CheckAndMutate> puts = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      puts.add(
          CheckAndMutate.newBuilder(rows.get(i))
              .ifNotExists(family, qualifier)
              .build(new Put(rows.get(i)).addColumn(family, qualifier, values.get(i))));
    }
    return table.checkAndMutate(puts);
  }

  @Override
  public void close() {
    table.close();
  }
}
