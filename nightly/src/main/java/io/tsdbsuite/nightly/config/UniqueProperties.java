package io.tsdbsuite.nightly.config;

import java.util.LinkedHashSet;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Properties that remember which keys a file has more than once. */
final class UniqueProperties extends Properties {
  private static final long serialVersionUID = 1;

  private final transient Set<String> repeated = new LinkedHashSet<>();

  @Override
  public synchronized @Nullable Object put(Object key, Object value) {
    Object before = super.put(key, value);
    if (before != null) {
      repeated.add(key.toString());
    }
    return before;
  }

  /** The keys that are there more than once, in the order of the file. */
  Set<String> repeated() {
    return new LinkedHashSet<>(repeated);
  }
}
