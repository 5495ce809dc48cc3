package io.tsdbsuite.nightly.run;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.config.NightlyConfig.VerifySettings;
import io.tsdbsuite.nightly.snapshot.FoundSnapshot;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.nightly.snapshot.RootSnapshots;
import io.tsdbsuite.nightly.snapshot.SnapshotExport;
import io.tsdbsuite.nightly.snapshot.SnapshotKind;
import io.tsdbsuite.nightly.storage.SiteFiles;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;

/** Takes and exports the snapshots of a run, and finds those that the job can read. */
final class Nights implements AutoCloseable {
  private final Context context;
  private final RootSnapshots root;
  private final Optional<LiveSnapshots> live;

  /**
   * Connects to HBase if the configuration needs it.
   *
   * @param creationTime creation time of new snapshots, see {@link LiveSnapshots}
   */
  Nights(Context context, LongSupplier creationTime) {
    this.context = context;
    NightlyConfig config = context.config();
    SnapshotKind kind = SnapshotKind.of(config);
    this.root = new RootSnapshots(context.hadoop(), config.place().snapshotRoot(), kind);
    boolean asks =
        config.snapshots().take() || config.verify().against() == VerifySettings.Against.SNAPSHOT;
    this.live = asks ? connect(kind, creationTime) : Optional.empty();
  }

  /** A failure is in the result: the snapshots that are there may do. */
  private Optional<LiveSnapshots> connect(SnapshotKind kind, LongSupplier creationTime) {
    try {
      Map<String, String> hbase = new LinkedHashMap<>(new SiteFiles(System.getenv()).hbase());
      hbase.putAll(context.config().clients().hbase());
      Configuration client = HBaseClients.configuration(context.hadoop(), hbase);
      HBaseProbe.clusterId(client);
      return Optional.of(new LiveSnapshots(client, kind, creationTime));
    } catch (JobException e) {
      context.result().fail(e);
      return Optional.empty();
    }
  }

  /** HBase; empty if the configuration does not need it, or it does not answer. */
  Optional<LiveSnapshots> live() {
    return live;
  }

  /** The date of the snapshots of this run, UTC. */
  LocalDate today() {
    return LocalDate.ofInstant(context.clock().instant(), ZoneOffset.UTC);
  }

  /**
   * The time from which on a run takes the snapshots of today; empty if it is over, or the run
   * takes none.
   */
  Optional<Instant> takenLater() {
    Instant from = MissingSnapshot.takenFrom(today(), context.config().holdBack());
    return context.config().snapshots().take() && context.clock().instant().isBefore(from)
        ? Optional.of(from)
        : Optional.empty();
  }

  /**
   * Whether {@link #prepare} takes the data snapshot of today.
   *
   * @throws JobException outside, if HBase fails
   */
  boolean takesNow() {
    return live.isPresent()
        && context.config().snapshots().take()
        && takenLater().isEmpty()
        && !live.get().has(SnapshotKind.of(context.config()).night(today()).dataSnapshot());
  }

  /**
   * Takes and exports the snapshots. A failure is in the result: older ones may do.
   *
   * @throws JobException usage, if the job would read those of another cluster
   */
  void prepare() {
    if (live.isEmpty() || !context.config().snapshots().take()) {
      return;
    }
    if (takenLater().isPresent()) {
      context
          .result()
          .add(
              ("no snapshot was taken: those of %s are taken from %s on, because of the"
                      + " hold-back")
                  .formatted(today(), takenLater().get()));
      return;
    }
    LocalDate date = today();
    try {
      context.progress().accept("taking the snapshots of " + date);
      List<String> taken = live.get().take(date);
      if (!taken.isEmpty()) {
        context.result().add("took " + String.join(" and ", taken));
      }
      if (context.config().place().isExported()) {
        context.progress().accept("exporting to " + context.config().place().exportRoot());
        List<String> exported =
            new SnapshotExport(context.config(), context.children(), root)
                .run(
                    live.get().nights(),
                    SnapshotKind.of(context.config()).night(date).dataSnapshot());
        if (!exported.isEmpty()) {
          context.result().add("exported " + String.join(" and ", exported));
        }
      }
    } catch (JobException e) {
      context.result().fail(e);
      return;
    }
    requireSameCluster(live.get().nights(), SnapshotKind.of(context.config()).night(date));
  }

  /** The snapshots that the job reads must be those that were taken. */
  private void requireSameCluster(List<NightSnapshots> taken, Night night) {
    for (NightSnapshots one : taken) {
      if (one.night().equals(night)) {
        requireSame(night.dataSnapshot(), one.times().data());
        requireSame(night.uidSnapshot(), one.times().uid());
      }
    }
  }

  private void requireSame(String name, Instant created) {
    Optional<Instant> found = root.find(name).map(FoundSnapshot::created);
    if (!found.equals(Optional.of(created))) {
      boolean exported = context.config().place().isExported();
      throw JobException.usage(
          ("snapshot %s in %s must be that of %s on HBase, found: %s; %s and tsd-config"
                  + " must be of one cluster")
              .formatted(
                  name,
                  context.config().place().snapshotRoot(),
                  created,
                  found.map(Instant::toString).orElse("none"),
                  exported ? "export.command" : "hbase-root"));
    }
  }

  /** The nights that the job can read: the file system has them, also while HBase is down. */
  List<NightSnapshots> readable() {
    return root.nights(
        message -> {
          context.progress().accept(message);
          context.result().add(message);
        });
  }

  /**
   * The TTL of the data table when a snapshot was taken; empty if its data never expire.
   *
   * @param newest of the nights
   */
  Optional<Duration> ttl(Optional<NightSnapshots> newest) {
    return newest.isPresent() ? root.ttl(newest.get()) : Optional.empty();
  }

  /** The TTL of the data table on HBase; empty if its data never expire, or HBase is not asked. */
  Optional<Duration> liveTtl() {
    return live.flatMap(LiveSnapshots::ttl);
  }

  @Override
  public void close() {
    live.ifPresent(LiveSnapshots::close);
  }
}
