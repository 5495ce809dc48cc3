package io.tsdbsuite.bulk.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The comment above each line of a reject file.
 *
 * <pre>
 *   # history/a.gz:17 badValue: a value must be a number, found 'x'
 * </pre>
 */
final class RejectComment {
  private static final Pattern FORM = Pattern.compile("# (.*?):(\\d+) (\\w+): (.*)");

  private RejectComment() {}

  /** The comment, without the end of the line. */
  static String write(RejectReason reason, String file, long line, String detail) {
    return "# " + oneLine(file) + ":" + line + " " + reason.key() + ": " + oneLine(detail);
  }

  /** The sample that the comment and its line were made from, null if it is not such a comment. */
  static @Nullable RejectSample read(String comment, String text) {
    Matcher matcher = FORM.matcher(comment);
    if (!matcher.matches()) {
      return null;
    }
    RejectReason reason = RejectReason.ofKey(matcher.group(3));
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
}
