package io.tsdbsuite.report.select;

import io.tsdbsuite.format.metric.Glob;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.report.model.UidNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Selects UIDs of a kind: the UID of one name, or all UIDs whose names match a glob. */
final class UidFilter {
  /** Maximum of cached decisions; one takes less than 100 bytes. */
  private static final int MAX_DECISIONS = 1_000_000;

  private final UidKind kind;
  private final UidNames names;
  private final @Nullable Long uid;
  private final @Nullable Glob glob;
  private final Map<Long, Boolean> decisions = new HashMap<>();
  private final Set<Long> undecided = new HashSet<>();

  private UidFilter(UidKind kind, UidNames names, @Nullable Long uid, @Nullable Glob glob) {
    this.kind = kind;
    this.names = names;
    this.uid = uid;
    this.glob = glob;
  }

  /**
   * Parses a name or glob.
   *
   * @param option the option, for messages
   * @throws JobException usage, when a name without wildcards is not in tsdb-uid
   */
  static UidFilter of(String option, UidKind kind, String text, UidNames names) {
    if (Glob.isGlob(text)) {
      return new UidFilter(kind, names, null, new Glob(text));
    }
    return new UidFilter(kind, names, uid(option, kind, text, names), null);
  }

  /**
   * Resolves the name given by an option.
   *
   * @throws JobException usage, when tsdb-uid does not have the name
   */
  static long uid(String option, UidKind kind, String name, UidNames names) {
    Long uid = names.uid(kind, name);
    if (uid == null) {
      throw JobException.usage(
          option + " must be a " + UidNames.word(kind) + " that tsdb-uid has, found: " + name);
    }
    return uid;
  }

  /** The only selected UID, null for a glob. */
  @Nullable Long uid() {
    return uid;
  }

  /** Adds a UID to those that the next {@link #decide} resolves for {@link #wants}. */
  void add(long seen) {
    if (glob != null && !decisions.containsKey(seen)) {
      undecided.add(seen);
    }
  }

  /** Looks up the names of UIDs added by {@link #add}. */
  void decide() {
    if (glob == null || undecided.isEmpty()) {
      return;
    }
    names.load(kind, undecided);
    for (Long each : undecided) {
      String name = names.name(kind, each);
      decisions.put(each, name != null && glob.matches(name));
    }
    undecided.clear();
  }

  /** Clears the cache above its maximum; to be called before {@link #add}. */
  void trim() {
    if (decisions.size() > MAX_DECISIONS) {
      decisions.clear();
    }
  }

  /** Whether the UID is selected; a UID without a name never matches a glob. */
  boolean wants(long asked) {
    if (glob == null) {
      return uid != null && asked == uid;
    }
    return Objects.requireNonNull(decisions.get(asked), "decide comes before wants");
  }
}
