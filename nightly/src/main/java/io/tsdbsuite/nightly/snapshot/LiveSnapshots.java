package io.tsdbsuite.nightly.snapshot;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.storage.FileSystems;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;

/**
 * The snapshots on HBase, by its Admin interface. A failure because of a missing Kerberos ticket or
 * right is usage, because a retry cannot help.
 */
public final class LiveSnapshots implements AutoCloseable {
  /** HBase's master sets the creation time. */
  public static final long MASTERS_TIME = -1;

  private final Connection connection;
  private final Admin admin;
  private final SnapshotKind kind;
  private final LongSupplier creationTime;

  /**
   * Connects to HBase.
   *
   * @param configuration of the client
   * @param creationTime creation time of new snapshots, milliseconds since the epoch, or {@link
   *     #MASTERS_TIME}
   * @throws JobException outside, if HBase does not answer
   */
  public LiveSnapshots(Configuration configuration, SnapshotKind kind, LongSupplier creationTime) {
    this.kind = kind;
    this.creationTime = creationTime;
    try {
      connection = ConnectionFactory.createConnection(configuration);
      admin = connection.getAdmin();
    } catch (IOException e) {
      throw failed("HBase does not answer", e);
    }
  }

  private static JobException failed(String what, IOException e) {
    return FileSystems.failed(what, e);
  }

  /** A request to HBase. */
  private interface Request<T> {
    T answer() throws IOException;
  }

  private static <T> T answer(String failure, Request<T> request) {
    try {
      return request.answer();
    } catch (IOException e) {
      throw failed(failure, e);
    }
  }

  /**
   * Whether HBase has a table.
   *
   * @throws JobException outside, if HBase fails
   */
  public boolean hasTable(String table) {
    return answer(
        "the table " + table + " cannot be looked for",
        () -> admin.tableExists(TableName.valueOf(table)));
  }

  /** All finished snapshots. */
  private List<FoundSnapshot> all() throws IOException {
    List<FoundSnapshot> all = new ArrayList<>();
    for (SnapshotDescription one : admin.listSnapshots()) {
      all.add(
          new FoundSnapshot(
              one.getName(),
              String.valueOf(one.getTableNameAsString()),
              Instant.ofEpochMilli(one.getCreationTime())));
    }
    return all;
  }

  /**
   * The nights on HBase.
   *
   * @throws JobException outside, if HBase fails
   */
  public List<NightSnapshots> nights() {
    return kind.nights(answer("the snapshots on HBase cannot be listed", this::all));
  }

  /**
   * The TTL of the data table; empty if its data never expire.
   *
   * @throws JobException outside, if HBase fails
   */
  public Optional<Duration> ttl() {
    return RootSnapshots.ttl(
        answer(
            "the table " + kind.dataTable() + " cannot be read on HBase",
            () -> admin.getDescriptor(TableName.valueOf(kind.dataTable()))));
  }

  /**
   * Takes the snapshots of a night, of the data table first, so that every UID in the data has its
   * name. A snapshot that exists stays.
   *
   * @return the names of the snapshots that were taken
   * @throws JobException outside, if HBase fails; usage, if a snapshot of this name is of another
   *     table, or the two are not in this order
   */
  public List<String> take(LocalDate date) {
    Night night = kind.night(date);
    List<String> taken = new ArrayList<>();
    Optional<FoundSnapshot> uid = find(night.uidSnapshot(), kind.uidTable());
    Optional<FoundSnapshot> data = find(night.dataSnapshot(), kind.dataTable());
    if (uid.isPresent() && (data.isEmpty() || uid.get().created().isBefore(data.get().created()))) {
      throw JobException.usage(
          "snapshot %s must be taken after %s, but is older: delete it and run again"
              .formatted(night.uidSnapshot(), night.dataSnapshot()));
    }
    if (data.isEmpty()) {
      take(night.dataSnapshot(), kind.dataTable(), creationTime.getAsLong());
      taken.add(night.dataSnapshot());
    }
    if (uid.isEmpty()) {
      take(night.uidSnapshot(), kind.uidTable(), creationTime.getAsLong());
      taken.add(night.uidSnapshot());
    }
    return taken;
  }

  private Optional<FoundSnapshot> find(String name, String table) {
    Optional<FoundSnapshot> found =
        answer("the snapshots on HBase cannot be listed", this::all).stream()
            .filter(one -> one.name().equals(name))
            .findFirst();
    if (found.isPresent() && !found.get().table().equals(table)) {
      throw JobException.usage(
          "snapshot " + name + " must be of table " + table + ", found: " + found.get().table());
    }
    return found;
  }

  private void take(String name, String table, long time) {
    try {
      admin.snapshot(
          new SnapshotDescription(
              name, TableName.valueOf(table), SnapshotType.FLUSH, null, time, -1, Map.of()));
    } catch (IOException e) {
      throw failed("snapshot " + name + " of table " + table + " was not taken", e);
    }
  }

  /**
   * Takes a snapshot that replaces one of this name.
   *
   * @throws JobException outside, if HBase fails
   */
  public void retake(String name, String table) {
    delete(name);
    take(name, table, creationTime.getAsLong());
  }

  /**
   * Whether there is a snapshot of a name.
   *
   * @throws JobException outside, if HBase fails
   */
  public boolean has(String name) {
    return answer("the snapshots on HBase cannot be listed", this::all).stream()
        .anyMatch(one -> one.name().equals(name));
  }

  /**
   * Deletes a snapshot, if it exists.
   *
   * @throws JobException outside, if HBase fails
   */
  public void delete(String name) {
    try {
      if (has(name)) {
        admin.deleteSnapshot(name);
      }
    } catch (IOException e) {
      throw failed("snapshot " + name + " was not deleted", e);
    }
  }

  /**
   * Deletes the snapshots whose names begin with a prefix.
   *
   * @throws JobException outside, if HBase fails
   */
  public void deleteAll(String prefix) {
    try {
      for (FoundSnapshot one : all()) {
        if (one.name().startsWith(prefix)) {
          admin.deleteSnapshot(one.name());
        }
      }
    } catch (IOException e) {
      throw failed("the snapshots " + prefix + "* were not deleted", e);
    }
  }

  /**
   * Deletes the snapshots that are older than the nights to keep, as {@link OldSnapshots} chooses.
   *
   * @param rollups beginning of the names of snapshots of rollup tables
   * @param keep number of nights that stay, the newest ones; 1 or more
   * @param needed nights that stay in any case
   * @return the names of the snapshots that were deleted
   * @throws JobException outside, if HBase fails
   */
  public List<String> prune(String rollups, int keep, Set<Night> needed, Instant now) {
    List<String> deleted = new ArrayList<>();
    try {
      for (FoundSnapshot snapshot : new OldSnapshots(kind, rollups, keep, needed, now).of(all())) {
        admin.deleteSnapshot(snapshot.name());
        deleted.add(snapshot.name());
      }
    } catch (IOException e) {
      throw failed("old snapshots were not deleted", e);
    }
    return deleted;
  }

  @Override
  public void close() {
    try {
      admin.close();
      connection.close();
    } catch (IOException e) {
      throw failed("the connection to HBase was not closed", e);
    }
  }
}
