package io.tsdbsuite.bulk.report;

import java.io.Serializable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rejected line or point that the report shows as an example. In a reject file a comment has all
 * but its text:
 *
 * <pre>
 *   # history/a.gz:17 badValue: a value must be a number, found 'x'
 * </pre>
 *
 * @param file name of the input file
 * @param line number of the line in the file, from 1
 * @param detail the rule and the value found
 * @param text the beginning of the rejected line
 */
public record RejectSample(RejectReason reason, String file, long line, String detail, String text)
    implements Serializable {
  private static final Pattern COMMENT = Pattern.compile("# (.*?):(\\d+) (\\w+): (.*)");

  /** The comment above the line in a reject file, without the end of the line. */
  static String comment(RejectReason reason, String file, long line, String detail) {
    return "# " + oneLine(file) + ":" + line + " " + reason.key() + ": " + oneLine(detail);
  }

  /** The sample that the comment and its line were made from, null if it is not such a comment. */
  static @Nullable RejectSample read(String comment, String text) {
    Matcher matcher = COMMENT.matcher(comment);
    RejectReason reason = matcher.matches() ? Keyed.of(RejectReason.class, matcher.group(3)) : null;
    if (reason == null) {
      return null;
    }
    try {
      long line = Long.parseLong(matcher.group(2));
      return new RejectSample(reason, matcher.group(1), line, matcher.group(4), text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static String oneLine(String text) {
    return text.replace('\n', ' ').replace('\r', ' ');
  }

  /** Returns file, line, reason, detail and text on one line. */
  @Override
  public String toString() {
    return file + ":" + line + " " + reason.key() + ": " + detail + ": " + text;
  }
}
