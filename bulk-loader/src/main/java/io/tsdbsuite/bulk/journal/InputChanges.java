package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.job.JobException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the input has not changed since the load began; else the positions in the journal are
 * wrong.
 */
public final class InputChanges {
  private InputChanges() {}

  /**
   * Compares the input at the start of the load with the input at the resume.
   *
   * @throws JobException usage, with all differences
   */
  public static void requireNone(List<JournalEvent.Input> then, List<JournalEvent.Input> now) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < Math.max(then.size(), now.size()); i++) {
      JournalEvent.Input before = i < then.size() ? then.get(i) : null;
      JournalEvent.Input after = i < now.size() ? now.get(i) : null;
      if (before == null || after == null || !before.equals(after)) {
        problems.add(
            "the input must not change before a resume: file %s was %s, found %s"
                .formatted(i + 1, shown(before), shown(after)));
      }
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  private static String shown(JournalEvent.@Nullable Input input) {
    return input == null
        ? "not there"
        : input.file()
            + " of "
            + input.bytes()
            + " bytes, changed last at "
            + Instant.ofEpochMilli(input.modifiedMillis());
  }
}
