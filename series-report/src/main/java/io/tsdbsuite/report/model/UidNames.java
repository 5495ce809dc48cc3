package io.tsdbsuite.report.model;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.job.JobException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The mappings of tsdb-uid, both ways. UIDs are their bytes as a big-endian number. */
public interface UidNames {
  /**
   * Loads the names of these UIDs for {@link #name}; names of earlier calls for the same kind may
   * be dropped.
   *
   * @throws JobException when they cannot be read
   */
  void load(UidKind kind, Set<Long> uids);

  /**
   * The name of a UID that was loaded.
   *
   * @return null if tsdb-uid has none, or maps the name to another UID, whose series have it too
   */
  @Nullable String name(UidKind kind, long uid);

  /**
   * The UID of a name.
   *
   * @return null if tsdb-uid has none
   * @throws JobException when it cannot be read; usage, when the UID has another name
   */
  @Nullable Long uid(UidKind kind, String name);

  /** The name of a kind for messages, for example {@code tag key}. */
  static String word(UidKind kind) {
    return switch (kind) {
      case METRIC -> "metric";
      case TAGK -> "tag key";
      case TAGV -> "tag value";
    };
  }
}
