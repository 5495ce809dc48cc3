package io.tsdbsuite.bulk.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An enum whose constants have keys in options, reports and files. */
public interface Keyed {
  /** The identifier of the constant. */
  String name();

  /** The key in options, reports and files: the identifier in lower case, unless overridden. */
  default String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The constant of this key; null if there is none. */
  static <E extends Enum<E> & Keyed> @Nullable E of(Class<E> type, String key) {
    for (E constant : type.getEnumConstants()) {
      if (constant.key().equals(key)) {
        return constant;
      }
    }
    return null;
  }

  /** All keys, for messages. */
  static <E extends Enum<E> & Keyed> String keys(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(Keyed::key).collect(Collectors.joining(", "));
  }
}
