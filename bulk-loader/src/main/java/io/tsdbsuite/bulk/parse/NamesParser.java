package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidName;
import io.tsdbsuite.job.JobException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a series into its names and checks them, once for each series. A pair that comes twice
 * counts once, as in a TSD; a key with two values is refused. Immutable.
 */
public final class NamesParser {
  private static final String MAX_TAGS = "tsd.storage.max_tags";
  private static final int DEFAULT_MAX_TAGS = 8;

  private final String alsoAllowed;
  private final int maxTags;

  /**
   * A parser.
   *
   * @param alsoAllowed characters that names may have besides letters, digits and {@code - _ . /}
   * @param maxTags pairs that a series may have, at least 1
   */
  public NamesParser(String alsoAllowed, int maxTags) {
    this.alsoAllowed = alsoAllowed;
    this.maxTags = maxTags;
  }

  /**
   * A parser with the rules of the TSD: {@code tsd.core.tag.allow_specialchars}, {@code
   * tsd.storage.max_tags}.
   *
   * @throws JobException when the latter is no positive number
   */
  public static NamesParser of(TsdConfig config) {
    String special = config.get("tsd.core.tag.allow_specialchars");
    String max = config.get(MAX_TAGS);
    int tags = max == null ? DEFAULT_MAX_TAGS : positive(max.trim());
    return new NamesParser(special == null ? "" : special, tags);
  }

  private static int positive(String text) {
    if (text.matches("0*[1-9][0-9]{0,3}")) {
      return Integer.parseInt(text);
    }
    throw JobException.usage(MAX_TAGS + " must be a number from 1 to 9999, found '" + text + "'");
  }

  /** The names, or the reason of the refusal. */
  public ParsedNames parse(SeriesText text) {
    String metric = utf8(text.bytes, text.metricOff, text.metricLen);
    if (metric == null) {
      return notUtf8("metric", text.bytes, text.metricOff, text.metricLen);
    }
    String problem = UidName.problem(metric, alsoAllowed);
    if (problem != null) {
      return new ParsedNames.Refused(RejectReason.ILLEGAL_NAME, "metric: " + problem);
    }
    String all = utf8(text.bytes, text.tagsOff, text.tagsLen);
    if (all == null) {
      return notUtf8("tags", text.bytes, text.tagsOff, text.tagsLen);
    }
    return tags(metric, all);
  }

  private ParsedNames tags(String metric, String all) {
    List<String> tags = new ArrayList<>();
    int off = 0;
    while (off < all.length()) {
      int end = off;
      while (end < all.length() && !isBlank(all.charAt(end))) {
        end++;
      }
      if (end > off) {
        ParsedNames refused = tag(all.substring(off, end), tags);
        if (refused != null) {
          return refused;
        }
      }
      off = end + 1;
    }
    if (tags.isEmpty()) {
      return badTags("a series must have at least one tag, found none");
    }
    if (tags.size() > 2 * maxTags) {
      int found = tags.size() / 2;
      return badTags("a series must not have more than " + maxTags + " tags, found " + found);
    }
    return new ParsedNames.Accepted(metric, tags);
  }

  /** Adds a pair, or returns why it is refused; null if it is good. */
  private @Nullable ParsedNames tag(String pair, List<String> tags) {
    int equals = pair.indexOf('=');
    if (equals <= 0 || equals == pair.length() - 1 || pair.indexOf('=', equals + 1) >= 0) {
      return badTags("a tag must be key=value, found '" + pair + "'");
    }
    String key = pair.substring(0, equals);
    String value = pair.substring(equals + 1);
    String problem = UidName.problem(key, alsoAllowed);
    if (problem != null) {
      return new ParsedNames.Refused(RejectReason.ILLEGAL_NAME, "tag key: " + problem);
    }
    problem = UidName.problem(value, alsoAllowed);
    if (problem != null) {
      return new ParsedNames.Refused(
          RejectReason.ILLEGAL_NAME, "tag value of " + key + ": " + problem);
    }
    for (int i = 0; i < tags.size(); i += 2) {
      if (tags.get(i).equals(key)) {
        return tags.get(i + 1).equals(value)
            ? null
            : badTags(
                "a tag key must come once, found "
                    + key
                    + "="
                    + tags.get(i + 1)
                    + " and "
                    + key
                    + "="
                    + value);
      }
    }
    tags.add(key);
    tags.add(value);
    return null;
  }

  private static ParsedNames badTags(String detail) {
    return new ParsedNames.Refused(RejectReason.BAD_TAGS, detail);
  }

  private static ParsedNames notUtf8(String part, byte[] b, int off, int len) {
    String detail = ErrorText.text(part + ": names must be UTF-8", b, off, off + len);
    return new ParsedNames.Refused(RejectReason.ILLEGAL_NAME, detail);
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
