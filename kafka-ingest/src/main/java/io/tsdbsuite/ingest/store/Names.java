package io.tsdbsuite.ingest.store;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.Reason;
import java.util.Map;

/**
 * Names that OpenTSDB can keep apart.
 *
 * <p>It stores them in ISO-8859-1, with a question mark for each character beyond, so that two
 * names of one length become one, with one UID. Its own check lets every letter pass. Source:
 * docs/storage.md, Where we differ.
 */
final class Names {
  private static final char LAST = '\u00ff';

  private Names() {}

  /**
   * Refuses an element with a name that would be stored as another one. To be called before UIDs
   * are asked for: the question marks get one, and stay.
   */
  static void require(Element element) throws BadMessageException {
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
