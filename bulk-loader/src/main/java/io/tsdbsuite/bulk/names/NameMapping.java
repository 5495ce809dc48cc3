package io.tsdbsuite.bulk.names;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * New names for metrics and tag keys, by the names of the source. Immutable.
 *
 * @param file mapping file, absolute; empty if there is none
 * @param metrics new name and origin of each metric
 * @param tagKeys new name and origin of each tag key
 */
public record NameMapping(String file, Map<String, Entry> metrics, Map<String, Entry> tagKeys)
    implements Serializable {
  /** No name is new. */
  public static final NameMapping NONE = new NameMapping("", Map.of(), Map.of());

  /** Copies the maps. */
  public NameMapping {
    metrics = Map.copyOf(metrics);
    tagKeys = Map.copyOf(tagKeys);
  }

  /**
   * A new name.
   *
   * @param name the name in OpenTSDB
   * @param origin line of the mapping file, or option, that has it
   */
  public record Entry(String name, String origin) implements Serializable {}

  /** Whether no name is new. */
  public boolean isEmpty() {
    return metrics.isEmpty() && tagKeys.isEmpty();
  }

  /** Equal for equal mappings only. */
  public String fingerprint() {
    String all = new TreeMap<>(metrics) + "\n" + new TreeMap<>(tagKeys);
    return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** New names that several names of the source have. */
  public List<String> merged() {
    List<String> found = new ArrayList<>();
    merged(metrics, NameKind.METRIC, found);
    merged(tagKeys, NameKind.TAG_KEY, found);
    return found;
  }

  private static void merged(Map<String, Entry> entries, NameKind kind, List<String> found) {
    Map<String, String> sources = new TreeMap<>();
    for (Map.Entry<String, Entry> entry : new TreeMap<>(entries).entrySet()) {
      String other = sources.putIfAbsent(entry.getValue().name(), entry.getKey());
      if (other != null) {
        found.add(NameChanges.collision(kind, "", other, entry.getKey(), entry.getValue().name()));
      }
    }
  }

  /** Entries whose source is not among these names, by their origin. */
  List<String> unused(Collection<String> metricsMet, Collection<String> tagKeysMet) {
    List<String> unused = new ArrayList<>();
    unused(metrics, metricsMet, NameKind.METRIC, unused);
    unused(tagKeys, tagKeysMet, NameKind.TAG_KEY, unused);
    return unused;
  }

  private static void unused(
      Map<String, Entry> entries, Collection<String> met, NameKind kind, List<String> unused) {
    new TreeMap<>(entries)
        .forEach(
            (source, entry) -> {
              if (!met.contains(source)) {
                unused.add(
                    entry.origin() + ": no " + kind.text() + " of the input is '" + source + "'");
              }
            });
  }
}
