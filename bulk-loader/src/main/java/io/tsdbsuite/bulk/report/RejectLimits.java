package io.tsdbsuite.bulk.report;

import io.tsdbsuite.job.JobException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Limits of rejected points: {@code --max-rejected}. A reason may have a limit of its own; all
 * others share one.
 *
 * @param others limit of the sum of all reasons without a limit of their own
 * @param byReason limits of single reasons
 */
public record RejectLimits(Limit others, Map<RejectReason, Limit> byReason)
    implements Serializable {
  /** No point may be rejected. */
  public static final RejectLimits ZERO = new RejectLimits(new Limit("0"), Map.of());

  /** Any number of points may be rejected. */
  public static final RejectLimits NONE = new RejectLimits(new Limit("100%"), Map.of());

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final Pattern PERCENT =
      Pattern.compile("(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]{1,9})?)%");
  private static final Pattern OF_REASON = Pattern.compile("(\\w+)=(.*)");

  /** Copies the map. */
  public RejectLimits {
    byReason = byReason.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(byReason));
  }

  /**
   * A limit.
   *
   * @param text a number of points, or a percentage of the points read: {@code 100}, {@code 0.5%}
   */
  public record Limit(String text) implements Serializable {
    private boolean isPercentage() {
      return text.endsWith("%");
    }

    private boolean isExceeded(long rejected, long read) {
      if (!isPercentage()) {
        return rejected > Long.parseLong(text);
      }
      BigDecimal percent = new BigDecimal(text.substring(0, text.length() - 1));
      return BigDecimal.valueOf(rejected)
              .movePointRight(2)
              .compareTo(percent.multiply(BigDecimal.valueOf(read)))
          > 0;
    }
  }

  /**
   * The limits that the values of the option have.
   *
   * @param texts {@code N}, {@code N%}, {@code REASON=N} or {@code REASON=N%}
   * @param problems receives the problem of each bad one
   */
  public static RejectLimits of(List<String> texts, Consumer<String> problems) {
    Limit others = null;
    Map<RejectReason, Limit> byReason = new EnumMap<>(RejectReason.class);
    for (String text : texts) {
      Matcher ofReason = OF_REASON.matcher(text);
      String number = ofReason.matches() ? ofReason.group(2) : text;
      if (!NUMBER.matcher(number).matches() && !PERCENT.matcher(number).matches()) {
        problems.accept(
            "--max-rejected must be a number of points, 0 or more, or a percentage of the points"
                + " read, as in 100, 0.5% or badValue=100, found: "
                + text);
      } else if (!ofReason.matches()) {
        if (others != null) {
          problems.accept("--max-rejected must have one limit without a reason, found: " + texts);
        }
        others = new Limit(number);
      } else {
        RejectReason reason = Keyed.of(RejectReason.class, ofReason.group(1));
        if (reason == null) {
          problems.accept(
              "--max-rejected must name one of "
                  + Keyed.keys(RejectReason.class)
                  + ", found: "
                  + text);
        } else if (byReason.put(reason, new Limit(number)) != null) {
          problems.accept("--max-rejected must name a reason once, found: " + texts);
        }
      }
    }
    return new RejectLimits(others == null ? ZERO.others : others, byReason);
  }

  /** Reasons that have a percentage of their own. */
  public Set<RejectReason> percentages() {
    return byReason.keySet().stream()
        .filter(reason -> byReason.getOrDefault(reason, others).isPercentage())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The values of the option that give these limits. */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    texts.add(others.text());
    byReason.forEach((reason, limit) -> texts.add(reason.key() + "=" + limit.text()));
    return texts;
  }

  /**
   * Whether a limit is exceeded that further points cannot make good: a number of points. Cheap
   * enough to be called often.
   *
   * @param rejected rejects so far
   */
  public boolean isExceededSoFar(Tally rejected) {
    return isExceeded(rejected, 0, false);
  }

  /**
   * Whether any limit is exceeded, once all points are read.
   *
   * @param rejected rejects of all of the input
   * @param read points of all of the input
   */
  public boolean isExceeded(Tally rejected, long read) {
    return isExceeded(rejected, read, true);
  }

  /**
   * Ends a load that has more rejects than a number of points allows. Called about once per
   * megabyte of input, so the message counts more rejects; percentages wait for {@link
   * #require(RejectFile, long)}.
   *
   * @param file has the rejects
   * @throws JobException bad input, with counts by reason
   */
  public void requireSoFar(RejectFile file) {
    if (isExceededSoFar(file.counts())) {
      throw exceeded(file);
    }
  }

  /**
   * Ends a load that has too many rejects in all of its input.
   *
   * @param file has the rejects
   * @param read points of all of the input
   * @throws JobException bad input, with counts by reason
   */
  public void require(RejectFile file, long read) {
    if (isExceeded(file.counts(), read)) {
      throw exceeded(file);
    }
  }

  private JobException exceeded(RejectFile file) {
    file.flush();
    return exceeded(file.counts(), String.join(", ", file.paths()));
  }

  /**
   * The failure of a load with more rejected points than the limit. The report has the first of
   * them.
   *
   * @param place names of the files with all rejected lines
   */
  public JobException exceeded(Tally counts, String place) {
    StringJoiner reasons = new StringJoiner(", ");
    for (RejectReason reason : RejectReason.values()) {
      if (counts.rejected(reason) > 0) {
        reasons.add(counts.rejected(reason) + " " + reason.key());
      }
    }
    return JobException.badInput(
        String.join(
            System.lineSeparator(),
            ("stopped: more points were rejected than --max-rejected allows (%s), found so"
                    + " far %s: %s")
                .formatted(this, counts.rejected(), reasons),
            "all of them are in " + place,
            "no point was written to the table; names read so far may have got UIDs"));
  }

  private boolean isExceeded(Tally rejected, long read, boolean percentages) {
    long rest = 0;
    for (RejectReason reason : RejectReason.values()) {
      long points = rejected.rejected(reason);
      Limit own = byReason.get(reason);
      if (own == null) {
        rest += points;
      } else if ((percentages || !own.isPercentage()) && own.isExceeded(points, read)) {
        return true;
      }
    }
    return (percentages || !others.isPercentage()) && others.isExceeded(rest, read);
  }

  /** The values of the option, for messages. */
  @Override
  public String toString() {
    return String.join(", ", texts());
  }
}
