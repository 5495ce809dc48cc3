package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.names.NameChanges;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.job.JobException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Splits a series into its names and checks them, once for each series. A pair that comes twice
 * counts once, as in a TSD; a key with two values is refused. Thread-safe.
 */
public final class NamesParser implements SeriesCheck {
  private static final String SPECIAL = "tsd.core.tag.allow_specialchars";
  private static final String MAX_TAGS = "tsd.storage.max_tags";

  /** Keys of the TSD's configuration that decide which names are good. */
  public static final List<String> KEYS = List.of(SPECIAL, MAX_TAGS);

  private static final int DEFAULT_MAX_TAGS = 8;

  private final String alsoAllowed;
  private final int maxTags;
  private final NameChanges changes;
  private final boolean changing;

  /**
   * A parser.
   *
   * @param alsoAllowed characters that names may have besides letters, digits and {@code - _ . /}
   * @param maxTags pairs that a series may have, at least 1
   * @param rules by which the names are changed before they are checked
   */
  NamesParser(String alsoAllowed, int maxTags, NameRules rules) {
    this.alsoAllowed = alsoAllowed;
    this.maxTags = maxTags;
    this.changes = new NameChanges(rules, alsoAllowed);
    this.changing = !rules.isNone();
  }

  /**
   * A parser with the rules of the TSD: {@code tsd.core.tag.allow_specialchars}, {@code
   * tsd.storage.max_tags}.
   *
   * @param rules by which the names are changed before they are checked
   * @throws JobException when the latter key is no positive number
   */
  public static NamesParser of(TsdConfig config, NameRules rules) {
    String special = config.get(SPECIAL);
    String max = config.get(MAX_TAGS);
    int tags = max == null ? DEFAULT_MAX_TAGS : positive(max.trim());
    return new NamesParser(special == null ? "" : special, tags, rules);
  }

  private static int positive(String text) {
    if (text.matches("0*[1-9][0-9]{0,3}")) {
      return Integer.parseInt(text);
    }
    throw JobException.usage(MAX_TAGS + " must be a number from 1 to 9999, found '" + text + "'");
  }

  @Override
  public boolean changesNames() {
    return changing;
  }

  /** The names that it has changed. */
  public NameChanges changes() {
    return changes;
  }

  @Override
  public NewSeries check(SeriesText text) {
    NewSeries series = source(text);
    if (changing && series.refusal() == null) {
      series = changes.change(series.metric(), series.tags());
    }
    return series.refusal() == null ? checked(series) : series;
  }

  /** The names as the source has them, not checked by the TSD's rules, or why there are none. */
  public static NewSeries source(SeriesText text) {
    String metric = utf8(text.bytes, text.metricOff, text.metricLen);
    if (metric == null) {
      return notUtf8("metric", text.bytes, text.metricOff, text.metricLen);
    }
    String all = utf8(text.bytes, text.tagsOff, text.tagsLen);
    if (all == null) {
      return notUtf8("tags", text.bytes, text.tagsOff, text.tagsLen);
    }
    List<String> tags = new ArrayList<>();
    int off = 0;
    while (off < all.length()) {
      int end = off;
      while (end < all.length() && !isBlank(all.charAt(end))) {
        end++;
      }
      if (end > off) {
        String pair = all.substring(off, end);
        int equals = pair.indexOf('=');
        if (equals <= 0 || equals == pair.length() - 1 || pair.indexOf('=', equals + 1) >= 0) {
          return badTags("a tag must be key=value, found '" + pair + "'");
        }
        tags.add(Separators.restore(pair.substring(0, equals)));
        tags.add(Separators.restore(pair.substring(equals + 1)));
      }
      off = end + 1;
    }
    return new NewSeries(Separators.restore(metric), tags);
  }

  private NewSeries checked(NewSeries names) {
    String problem = UidName.problem(names.metric(), alsoAllowed);
    if (problem != null) {
      return illegal("metric: ", names.metric(), problem);
    }
    List<String> tags = new ArrayList<>(names.tags().size());
    Map<String, String> values = new HashMap<>(names.tags().size());
    for (int i = 0; i < names.tags().size(); i += 2) {
      NewSeries refused = tag(names.tags().get(i), names.tags().get(i + 1), tags, values);
      if (refused != null) {
        return refused;
      }
    }
    if (tags.isEmpty()) {
      return badTags("a series must have at least one tag, found none (--add-tag adds one)");
    }
    if (tags.size() > 2 * maxTags) {
      int found = tags.size() / 2;
      return badTags("a series must not have more than " + maxTags + " tags, found " + found);
    }
    return new NewSeries(names.metric(), tags);
  }

  /** Adds a pair, or returns why it is refused; null if it is good. */
  private @Nullable NewSeries tag(
      String key, String value, List<String> tags, Map<String, String> values) {
    String problem = UidName.problem(key, alsoAllowed);
    if (problem != null) {
      return illegal("tag key: ", key, problem);
    }
    problem = UidName.problem(value, alsoAllowed);
    if (problem != null) {
      return illegal("tag value of " + key + ": ", value, problem);
    }
    String other = values.putIfAbsent(key, value);
    if (other != null) {
      return other.equals(value)
          ? null
          : badTags(
              "a tag key must come once, found " + key + "=" + other + " and " + key + "=" + value);
    }
    tags.add(key);
    tags.add(value);
    return null;
  }

  /** A name that breaks a rule; says how to change it unless it is too long or empty. */
  private NewSeries illegal(String part, String name, String problem) {
    boolean replaceable = name.chars().anyMatch(c -> !UidName.isAllowed((char) c, alsoAllowed));
    return NewSeries.refused(
        RejectReason.ILLEGAL_NAME,
        part + problem + (replaceable ? " (--replace-chars replaces such characters)" : ""));
  }

  private static NewSeries badTags(String detail) {
    return NewSeries.refused(RejectReason.BAD_TAGS, detail);
  }

  private static NewSeries notUtf8(String part, byte[] b, int off, int len) {
    String detail = ErrorText.text(part + ": names must be UTF-8", b, off, off + len);
    return NewSeries.refused(RejectReason.ILLEGAL_NAME, detail);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static @Nullable String utf8(byte[] b, int off, int len) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b, off, len)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
