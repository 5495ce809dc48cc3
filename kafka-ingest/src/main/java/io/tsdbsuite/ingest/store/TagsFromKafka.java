package io.tsdbsuite.ingest.store;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tags of a point that came from Kafka, a view of another map.
 *
 * <p>A TSD passes the map of a write to its publisher, on the writing thread or, with a filter that
 * answers later, on another one. By the class of the map the publisher knows that the point must
 * not be sent to Kafka again.
 */
public final class TagsFromKafka extends AbstractMap<String, String> {
  private final Map<String, String> tags;

  TagsFromKafka(Map<String, String> tags) {
    this.tags = tags;
  }

  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    return tags.entrySet();
  }

  @Override
  public int size() {
    return tags.size();
  }

  @Override
  public @Nullable String get(Object key) {
    return tags.get(key);
  }

  @Override
  public boolean containsKey(Object key) {
    return tags.containsKey(key);
  }

  @Override
  public @Nullable String put(String key, String value) {
    return tags.put(key, value);
  }
}
