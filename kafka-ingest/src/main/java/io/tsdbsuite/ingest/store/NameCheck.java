package io.tsdbsuite.ingest.store;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.SeriesElement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import net.opentsdb.core.Const;
import net.opentsdb.core.Tags;
import org.hbase.async.GetRequest;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Rejects names under which OpenTSDB would store another series. Thread-safe.
 *
 * <ul>
 *   <li>OpenTSDB stores names in ISO-8859-1 and replaces other characters by question marks, so two
 *       names of equal length become one name with one UID. Its own check accepts all letters.
 *   <li>Two names can have one UID in a damaged UID table: two forward mappings, of which the
 *       reverse mapping names one. The points of both names would be one series.
 * </ul>
 *
 * <p>A name is looked up once, before the TSD resolves it: the TSD caches a UID's name from
 * whatever name it resolves first, and then fails for the right one. A name without a UID is looked
 * up with every element until it has one, also if another process has assigned it. Source:
 * docs/storage.md 4.
 */
final class NameCheck {
  private static final int MOST_REFUSED = 100_000;
  private static final long REFUSED_SECONDS = 60;
  private static final long TIMEOUT_MILLIS = 60_000;
  private static final char LAST = '\u00ff';

  /** A name that is not known yet. */
  private static final class Unknown {
    final UidKind kind;
    final String name;

    Unknown(UidKind kind, String name) {
      this.kind = kind;
      this.name = name;
    }
  }

  private final Function<GetRequest, Deferred<ArrayList<KeyValue>>> client;
  private final byte[] table;
  private final NameSet metrics = new NameSet();
  private final NameSet tagKeys = new NameSet();
  private final NameSet tagValues = new NameSet();

  /** Why names were refused; after some time they are looked up again: the table may be mended. */
  private final Cache<List<Object>, String> refused =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_REFUSED)
          .expireAfterWrite(REFUSED_SECONDS, TimeUnit.SECONDS)
          .build();

  /**
   * Creates a check that knows no name.
   *
   * @param client reads a row
   * @param table name of the UID table
   */
  @SuppressWarnings("NonApiType") // The type that asynchbase answers with.
  NameCheck(Function<GetRequest, Deferred<ArrayList<KeyValue>>> client, byte[] table) {
    this.client = client;
    this.table = table;
  }

  /**
   * Rejects an element with a name that is not that of its UID. Must be called before its names are
   * resolved. Blocks while names are looked up that were not yet.
   *
   * @throws BadMessageException when a name is rejected
   * @throws IllegalArgumentException when a name has a character that the TSD does not accept
   * @throws RuntimeException when HBase fails; the reason may be its cause
   */
  void require(SeriesElement element) throws BadMessageException {
    if (!metrics.contains(element.metric())) {
      lookUp(element.metric(), element.tags());
      return;
    }
    for (Map.Entry<String, String> tag : element.tags().entrySet()) {
      if (!tagKeys.contains(tag.getKey()) || !tagValues.contains(tag.getValue())) {
        lookUp(element.metric(), element.tags());
        return;
      }
    }
  }

  /** Like {@link #require(SeriesElement)} for a tag that is added to a series. */
  void requireTag(String key, String value) throws BadMessageException {
    if (!tagKeys.contains(key) || !tagValues.contains(value)) {
      lookUp(null, Collections.singletonMap(key, value));
    }
  }

  private void lookUp(@Nullable String metric, Map<String, String> tags)
      throws BadMessageException {
    List<Unknown> unknown = new ArrayList<>();
    if (metric != null) {
      addIfUnknown(UidKind.METRIC, metric, unknown);
    }
    if (tags.size() > Const.MAX_NUM_TAGS()) {
      throw new BadMessageException(
          Reason.REFUSED,
          "a series must have " + Const.MAX_NUM_TAGS() + " tags at most, found " + tags.size());
    }
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      addIfUnknown(UidKind.TAGK, tag.getKey(), unknown);
      addIfUnknown(UidKind.TAGV, tag.getValue(), unknown);
    }
    List<byte[]> rows = new ArrayList<>(unknown.size());
    for (Unknown each : unknown) {
      rows.add(each.name.getBytes(StandardCharsets.ISO_8859_1));
    }
    List<byte @Nullable []> uids = read(unknown, rows, UidRow.idFamily());
    List<byte @Nullable []> names = read(unknown, uids, UidRow.nameFamily());
    for (int i = 0; i < unknown.size(); i++) {
      byte[] uid = uids.get(i);
      if (uid != null) {
        compare(unknown.get(i), rows.get(i), uid, names.get(i));
      }
    }
  }

  private void addIfUnknown(UidKind kind, String name, List<Unknown> unknown)
      throws BadMessageException {
    if (known(kind).contains(name)) {
      return;
    }
    requireLatin1(kind, name);
    String before = refused.getIfPresent(Arrays.asList(kind, name));
    if (before != null) {
      throw new BadMessageException(Reason.REFUSED, before);
    }
    // The TSD would reject these names, too, but after they were looked up.
    Tags.validateString(word(kind), name);
    // The TSD rejects a name that cannot be a row.
    if (name.length() <= Short.MAX_VALUE) {
      unknown.add(new Unknown(kind, name));
    }
  }

  /** Reads one column of each row; null for a row that is null or lacks the column. */
  private List<byte @Nullable []> read(
      List<Unknown> unknown, List<? extends byte @Nullable []> rows, byte[] family) {
    List<Deferred<ArrayList<KeyValue>>> answers = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      byte[] row = rows.get(i);
      answers.add(
          row == null
              ? Deferred.fromResult(new ArrayList<>())
              : client.apply(
                  new GetRequest(table, row, family, unknown.get(i).kind.qualifierBytes())));
    }
    List<byte @Nullable []> values = new ArrayList<>(rows.size());
    for (List<KeyValue> cells : join(Deferred.groupInOrder(answers))) {
      values.add(cells.isEmpty() || cells.get(0).value().length == 0 ? null : cells.get(0).value());
    }
    return values;
  }

  private static <T> T join(Deferred<T> answer) {
    try {
      return answer.join(TIMEOUT_MILLIS);
    } catch (RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RuntimeException(e);
    } catch (Exception e) {
      throw new RuntimeException(e);
    }
  }

  /** A UID without reverse mapping is no second name; the TSD's queries report it. */
  private void compare(Unknown name, byte[] row, byte[] uid, byte @Nullable [] reverse)
      throws BadMessageException {
    if (reverse != null && !Arrays.equals(row, reverse)) {
      String message =
          word(name.kind)
              + " must be the name of its UID "
              + TsuidLayout.hex(uid)
              + ", which is "
              + new String(reverse, StandardCharsets.ISO_8859_1)
              + ": two names with one UID would be one series (mend it with: tsdb uid fsck), found "
              + name.name;
      refused.put(Arrays.asList(name.kind, name.name), message);
      throw new BadMessageException(Reason.REFUSED, message);
    }
    known(name.kind).add(name.name);
  }

  private NameSet known(UidKind kind) {
    switch (kind) {
      case METRIC:
        return metrics;
      case TAGK:
        return tagKeys;
      default:
        return tagValues;
    }
  }

  private static String word(UidKind kind) {
    switch (kind) {
      case METRIC:
        return "metric";
      case TAGK:
        return "tag key";
      default:
        return "tag value";
    }
  }

  private static void requireLatin1(UidKind kind, String name) throws BadMessageException {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) > LAST) {
        throw new BadMessageException(
            Reason.REFUSED,
            String.format(
                "%s must consist of characters of ISO-8859-1, since OpenTSDB stores a question"
                    + " mark for any other, found %s",
                word(kind), name));
      }
    }
  }
}
