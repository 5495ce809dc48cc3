package io.tsdbsuite.bulk.names;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rules by which names of the source become names of OpenTSDB. The mapping comes first, then the
 * replacement of characters, then the added tags.
 *
 * @param mapping names by the names of the source
 * @param addedTags tags that each series gets
 * @param replacement in place of each character that OpenTSDB refuses; empty to refuse such names
 * @param merge whether two names of the source may become one
 */
public record NameRules(
    NameMapping mapping, Map<String, String> addedTags, String replacement, boolean merge)
    implements Serializable {
  /** Names stay as they are. */
  public static final NameRules NONE = new NameRules(NameMapping.NONE, Map.of(), "", false);

  /** Copies the map. */
  public NameRules {
    addedTags = Collections.unmodifiableMap(new LinkedHashMap<>(addedTags));
  }

  /** Whether names stay as they are. */
  public boolean isNone() {
    return mapping.isEmpty() && addedTags.isEmpty() && replacement.isEmpty();
  }
}
