package io.tsdbsuite.ingest.consume;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for partitions that HBase owes answers for, and gives up answers that are lost. For the
 * polling thread, but for {@link #problem}.
 */
final class OwedAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(OwedAnswers.class);
  private static final long GRACE_MILLIS = 30_000;

  private final String name;
  private final GroupParts parts;
  private final Liveness liveness;
  private final long ackMillis;
  private volatile String problem;

  OwedAnswers(String name, GroupParts parts, Storage storage, long ackMillis) {
    this.name = name;
    this.parts = parts;
    this.ackMillis = ackMillis;
    this.liveness = new Liveness(storage, parts.uptime, Math.min(ackMillis, GRACE_MILLIS));
  }

  /** For which partition, and how long; null while none is owed for too long. */
  String problem() {
    return problem;
  }

  /** Looks at the partitions of this consumer, and at those that the group had here before. */
  void check(Collection<PartitionProgress> own, long now) {
    List<PartitionProgress> silent = new ArrayList<>();
    String found = null;
    // Also one that has failed: it waits for its answers before it is read again.
    for (PartitionProgress each : own) {
      if (each.silence(now) > ackMillis) {
        silent.add(each);
        found =
            "HBase has not answered for "
                + each.partition()
                + " for "
                + each.silence(now) / 1000
                + " s";
      }
    }
    if (found != null && problem == null) {
      LOG.error("{}: {}", name, found);
    }
    problem = found;
    parts.left.removeIf(each -> each.inFlight() == 0);
    for (PartitionProgress each : parts.left) {
      if (each.silence(now) > ackMillis) {
        silent.add(each);
      }
    }
    if (silent.isEmpty()) {
      liveness.forget();
    } else if (parts.window.mayGiveUp() && liveness.isConfirmed()) {
      silent.forEach(this::giveUp);
    }
  }

  private void giveUp(PartitionProgress silent) {
    int messages = parts.settlement.answersLost(silent);
    LOG.error(
        "{}: the answers for {} messages of {} are lost: HBase answers others; they are read again",
        name,
        messages,
        silent.partition());
  }
}
