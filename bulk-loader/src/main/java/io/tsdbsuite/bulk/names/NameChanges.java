package io.tsdbsuite.bulk.names;

import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.format.uid.UidName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes names by {@link NameRules}, and remembers which name of the source became which name.
 * Series of the source can become one series only if two of their names become one, so such names
 * are refused unless the rules merge them. One for all readers of a load; thread-safe.
 *
 * <p>Names that were not changed, and that no changed name can be equal to, take no memory.
 */
public final class NameChanges {
  private static final String ADDED = "";
  private static final int EXAMPLES = 20;

  private final NameRules rules;
  private final String alsoAllowed;
  private final Map<Key, String> sources = new HashMap<>();
  private final Set<String> targets = new HashSet<>();
  private final Set<String> mergedExamples = new LinkedHashSet<>();
  private List<ChangedName> fresh = new ArrayList<>();

  private record Key(NameKind kind, String tag, String name) {}

  /**
   * Names that were not seen yet.
   *
   * @param alsoAllowed characters that names may have besides letters, digits and {@code - _ . /}
   */
  public NameChanges(NameRules rules, String alsoAllowed) {
    this.rules = rules;
    this.alsoAllowed = alsoAllowed;
    rules.mapping().metrics().values().forEach(entry -> targets.add(entry.name()));
    rules.mapping().tagKeys().values().forEach(entry -> targets.add(entry.name()));
    targets.addAll(rules.addedTags().keySet());
  }

  /** Adds names that an earlier process of the load has seen. */
  public synchronized void restore(List<ChangedName> before) {
    before.forEach(name -> meet(name.kind(), name.tag(), name.name(), name.source()));
    fresh = new ArrayList<>();
  }

  /** The names seen since the last call, for {@link #restore}. */
  public synchronized List<ChangedName> takeFresh() {
    List<ChangedName> taken = fresh;
    fresh = new ArrayList<>();
    return taken;
  }

  /**
   * Changes the names of a series. They are checked by the TSD's rules afterwards.
   *
   * @param metric as the source has it
   * @param tags keys and values in turn
   * @return the names, not checked yet, or why they are refused
   */
  public NewSeries change(String metric, List<String> tags) {
    String newMetric = replaced(mapped(rules.mapping().metrics(), metric));
    List<String> newTags = new ArrayList<>(tags.size() + 2 * rules.addedTags().size());
    for (int i = 0; i < tags.size(); i += 2) {
      newTags.add(replaced(mapped(rules.mapping().tagKeys(), tags.get(i))));
      newTags.add(replaced(tags.get(i + 1)));
    }
    rules
        .addedTags()
        .forEach(
            (key, value) -> {
              newTags.add(key);
              newTags.add(value);
            });
    String collision = meet(metric, tags, newMetric, newTags);
    return collision == null
        ? new NewSeries(newMetric, newTags)
        : NewSeries.refused(RejectReason.NAME_COLLISION, collision);
  }

  private static String mapped(Map<String, NameMapping.Entry> entries, String name) {
    NameMapping.Entry entry = entries.get(name);
    return entry == null ? name : entry.name();
  }

  private String replaced(String name) {
    if (rules.replacement().isEmpty()) {
      return name;
    }
    StringBuilder changed = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (UidName.isAllowed(c, alsoAllowed)) {
        changed.append(c);
      } else {
        changed.append(rules.replacement());
        // A character beyond U+FFFF is two in Java.
        i += Character.isHighSurrogate(c) && i + 1 < name.length() ? 1 : 0;
      }
    }
    return changed.toString();
  }

  private synchronized @Nullable String meet(
      String metric, List<String> tags, String newMetric, List<String> newTags) {
    String collision = meet(NameKind.METRIC, "", newMetric, metric);
    for (int i = 0; i < newTags.size(); i += 2) {
      String key = newTags.get(i);
      boolean added = i >= tags.size();
      String found = meet(NameKind.TAG_KEY, "", key, added ? ADDED : tags.get(i));
      if (found == null && !added) {
        found = meet(NameKind.TAG_VALUE, key, newTags.get(i + 1), tags.get(i + 1));
      }
      collision = collision == null ? found : collision;
    }
    return collision;
  }

  /** Remembers a name; returns why it is refused, null if it is not. */
  private @Nullable String meet(NameKind kind, String tag, String name, String source) {
    if (name.equals(source) && !canBeEqual(name)) {
      return null;
    }
    String other = sources.putIfAbsent(new Key(kind, tag, name), source);
    if (other == null) {
      fresh.add(new ChangedName(kind, tag, name, source));
      return null;
    }
    if (other.equals(source)) {
      return null;
    }
    String collision = collision(kind, tag, other, source, name);
    if (!rules.merge()) {
      return collision;
    }
    if (mergedExamples.size() < EXAMPLES) {
      mergedExamples.add(collision);
    }
    return null;
  }

  /** Whether another name may be changed to this one. */
  private boolean canBeEqual(String name) {
    return targets.contains(name)
        || (!rules.replacement().isEmpty() && name.contains(rules.replacement()));
  }

  static String collision(NameKind kind, String tag, String first, String second, String name) {
    return ("a %s%s must come of one name of the source (or --merge-names), found %s and %s"
            + " for %s")
        .formatted(
            kind.text(), tag.isEmpty() ? "" : " of " + tag, quoted(first), quoted(second), name);
  }

  private static String quoted(String source) {
    return source.equals(ADDED) ? "--add-tag" : "'" + source + "'";
  }

  /**
   * What a report must tell, once all of the input is read: entries of the mapping that were not
   * used, and the first names that were merged.
   */
  public synchronized List<String> warnings() {
    Set<String> metrics = new HashSet<>();
    Set<String> tagKeys = new HashSet<>();
    sources.forEach(
        (key, source) -> {
          if (key.kind() == NameKind.METRIC) {
            metrics.add(source);
          } else if (key.kind() == NameKind.TAG_KEY) {
            tagKeys.add(source);
          }
        });
    List<String> unused = rules.mapping().unused(metrics, tagKeys);
    List<String> warnings = new ArrayList<>(unused.subList(0, Math.min(EXAMPLES, unused.size())));
    if (unused.size() > EXAMPLES) {
      warnings.add((unused.size() - EXAMPLES) + " more entries of the mapping are not used");
    }
    mergedExamples.forEach(example -> warnings.add("merged: " + example));
    return warnings;
  }
}
