package io.tsdbsuite.ingest.consume;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds partitions with overdue answers of HBase, and expires answers that are lost. For the
 * polling thread, except {@link #problem}.
 */
final class AckTimeoutCheck {
  private static final Logger LOG = LoggerFactory.getLogger(AckTimeoutCheck.class);

  private final String name;
  private final GroupContext context;
  private final long ackMillis;
  private long overdueSince = -1;
  private volatile @Nullable String problem;

  AckTimeoutCheck(String name, GroupContext context) {
    this.name = name;
    this.context = context;
    this.ackMillis = context.config.ingest.ackTimeoutMillis;
  }

  /** Names a partition with an overdue answer, or says why HBase cannot be read; else null. */
  @Nullable String problem() {
    return problem;
  }

  /** Checks the partitions of this consumer, and those that were revoked from the group here. */
  void check(Collection<PartitionProgress> own, long now) {
    List<PartitionProgress> overdue = new ArrayList<>();
    String found = null;
    // Failed partitions, too: these wait for their answers before they are read again.
    for (PartitionProgress each : own) {
      if (each.waitingMillis(now) > ackMillis) {
        overdue.add(each);
        found =
            String.format(
                "HBase has not answered for %s for %s s",
                each.partition(), each.waitingMillis(now) / 1000);
      }
    }
    String unreadable = context.probe.problem();
    if (found == null) {
      found = unreadable;
    }
    if (found != null && problem == null) {
      LOG.error("{}: {}", name, found);
    }
    problem = found;
    context.revoked.removeIf(each -> each.inFlight() == 0);
    for (PartitionProgress each : context.revoked) {
      if (each.waitingMillis(now) > ackMillis) {
        overdue.add(each);
      }
    }
    if (overdue.isEmpty()) {
      overdueSince = -1;
      return;
    }
    if (overdueSince < 0) {
      overdueSince = now;
    }
    if (context.inFlightLimit.mayExpire() && context.probe.isAlive(overdueSince)) {
      overdue.forEach(this::expire);
    }
  }

  private void expire(PartitionProgress overdue) {
    int messages = context.completion.expire(overdue);
    LOG.error(
        "{}: the answers for {} messages of {} are lost: HBase answers others; they are read again",
        name,
        messages,
        overdue.partition());
  }
}
