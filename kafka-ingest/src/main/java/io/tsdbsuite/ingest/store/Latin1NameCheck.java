package io.tsdbsuite.ingest.store;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.SeriesElement;
import java.util.Map;

/**
 * Rejects names that OpenTSDB cannot store.
 *
 * <p>OpenTSDB stores names in ISO-8859-1 and replaces other characters by question marks, so two
 * names of equal length become one name with one UID. Its own check accepts all letters. Source:
 * docs/storage.md, Where we differ.
 */
final class Latin1NameCheck {
  private static final char LAST = '\u00ff';

  private Latin1NameCheck() {}

  /**
   * Rejects an element with a name outside of ISO-8859-1. Must be called before the names are
   * resolved: a UID created for the question marks would stay.
   */
  static void require(SeriesElement element) throws BadMessageException {
    require("metric", element.metric());
    for (Map.Entry<String, String> tag : element.tags().entrySet()) {
      require("tag key", tag.getKey());
      require("tag value", tag.getValue());
    }
  }

  private static void require(String what, String name) throws BadMessageException {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) > LAST) {
        throw new BadMessageException(
            Reason.REFUSED,
            what
                + " must consist of characters of ISO-8859-1, since OpenTSDB stores a question"
                + " mark for any other, found "
                + name);
      }
    }
  }
}
