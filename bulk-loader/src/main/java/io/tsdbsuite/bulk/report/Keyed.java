package io.tsdbsuite.bulk.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An enum whose constants have names in options, reports and files. */
public interface Keyed {
  /** The constant. */
  String name();

  /** Its name: the constant in lower case, unless it has another one. */
  default String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The constant of this name, null if there is none. */
  static <E extends Enum<E> & Keyed> @Nullable E of(Class<E> type, String key) {
    for (E constant : type.getEnumConstants()) {
      if (constant.key().equals(key)) {
        return constant;
      }
    }
    return null;
  }

  /** All names, for messages. */
  static <E extends Enum<E> & Keyed> String keys(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(Keyed::key).collect(Collectors.joining(", "));
  }
}
