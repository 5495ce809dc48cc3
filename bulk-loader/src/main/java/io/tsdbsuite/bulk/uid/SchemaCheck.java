package io.tsdbsuite.bulk.uid;

import io.tsdbsuite.bulk.table.RowSample;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.job.JobException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Checks salt and UID widths of the TSD's configuration with rows of the data table and of the UID
 * table. With wrong ones a load would write rows that no TSD reads.
 *
 * <p>A row proves a layout, that is widths of salt and UIDs, if its key has the parts of this
 * layout and the UID table has all UIDs among them. Other rows prove nothing: they are of another
 * program, of global annotations, or of deleted names.
 *
 * <ul>
 *   <li>The widths are refused if no row proves them and a row proves others; and, where no row
 *       proves any, if the UID table has UIDs of other widths alone.
 *   <li>The number of salt buckets is refused if one of the rows is not in its bucket, and all of
 *       them would be with another number. After a change of the number none explains older and
 *       newer rows. Rows in bucket 0 are left out: imports of OpenTSDB 2.2 wrote all rows there.
 * </ul>
 */
public final class SchemaCheck {
  /** Salt buckets, and metrics, at whose first rows the data table is looked at. */
  private static final int PLACES = 8;

  /** UIDs from 1 on, and from the counter down, that are looked up in each width. */
  private static final int UIDS = 4;

  private static final int MOST_WIDTH = 8;

  /** The largest number of buckets that is tried as an explanation. */
  private static final int MOST_BUCKETS = 1 << 16;

  private static final HexFormat HEX = HexFormat.of();

  private final TsdConfig config;
  private final StorageSchema schema;
  private final ToLongFunction<UidKind> counters;
  private final BiFunction<UidKind, List<byte[]>, List<byte[]>> names;

  /**
   * A check of a configuration.
   *
   * @param counters the highest assigned UID of a kind, 0 if there is none
   * @param names the names of UIDs, in their order; null for a UID without a name
   */
  SchemaCheck(
      TsdConfig config,
      ToLongFunction<UidKind> counters,
      BiFunction<UidKind, List<byte[]>, List<byte[]>> names) {
    this.config = config;
    this.schema = StorageSchema.from(config);
    this.counters = counters;
    this.names = names;
  }

  /**
   * Looks at some rows of the data table. One without rows is accepted.
   *
   * @return what was found, as text
   * @throws JobException usage, when they contradict the configuration; outside, when HBase fails
   */
  public static String require(Connection connection, TsdConfig config, TableFacts table) {
    TableName name = TableName.valueOf(StorageSchema.from(config).uidTable());
    try (UidTable uids = new UidTable(connection, name)) {
      SchemaCheck check = new SchemaCheck(config, uids::counter, uids::names);
      return check.require(RowSample.read(connection, table, check.places()));
    }
  }

  /**
   * Row keys at which rows of this configuration may begin, spread over salt buckets and metrics;
   * the last one is after the last bucket.
   */
  List<byte[]> places() {
    RowKey keys = new RowKey(schema);
    int width = schema.metricWidth();
    long highest = Uids.highest(width);
    long metrics =
        schema.randomMetrics() ? highest : Math.min(highest, counters.applyAsLong(UidKind.METRIC));
    List<byte[]> places = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      byte[] salt = keys.bucket((int) ((long) schema.saltBuckets() * i / PLACES));
      byte[] metric = Arrays.copyOf(salt, salt.length + width);
      long uid = 1 + (long) (Math.max(0, metrics - 1) / (double) PLACES * i);
      Uids.write(uid, metric, salt.length, width);
      places.add(salt);
      places.add(metric);
    }
    places.add(keys.bucket(schema.saltBuckets()));
    return places;
  }

  /**
   * Decides.
   *
   * @param rows keys of the data table
   * @return what was found, as text
   * @throws JobException as {@link #require(Connection, TsdConfig, TableFacts)}
   */
  String require(List<byte[]> rows) {
    List<byte[]> own = proving(schema, rows);
    if (!own.isEmpty()) {
      requireBuckets(own);
      return own.size() + " of " + rows.size() + " looked at prove salt and UID widths";
    }
    Map<UidKind, SortedMap<Integer, byte[]>> widths = new EnumMap<>(UidKind.class);
    for (UidKind kind : UidKind.values()) {
      widths.put(kind, widths(kind));
    }
    layouts(widths).forEach(other -> requireNone(other, rows));
    List<String> problems = new ArrayList<>();
    widths.forEach(
        (kind, found) -> {
          if (!found.isEmpty() && !found.containsKey(schema.width(kind))) {
            int width = found.firstKey();
            problems.add(
                "%s: table '%s' has %s UID %s"
                    .formatted(
                        must(StorageSchema.widthKey(kind), width, schema.width(kind)),
                        schema.uidTable(),
                        kind.qualifier(),
                        HEX.formatHex(found.get(width))));
          }
        });
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
    return "none of " + rows.size() + " looked at proves salt and UID widths";
  }

  private static String must(String key, int rule, int found) {
    return key + " must be " + rule + ", found " + found;
  }

  /** The rows that prove a layout; their salt may be of any bucket. */
  private List<byte[]> proving(StorageSchema layout, List<byte[]> rows) {
    RowKey keys = new RowKey(layout);
    List<byte[]> left =
        rows.stream()
            .filter(
                row -> {
                  KeyProblem problem = keys.check(row, 0, row.length);
                  return problem == null || problem == KeyProblem.WRONG_SALT;
                })
            .toList();
    for (UidKind kind : UidKind.values()) {
      LongStream all = left.stream().flatMapToLong(row -> uids(keys, row, kind));
      Set<Long> named = named(kind, layout.width(kind), all);
      left = left.stream().filter(row -> uids(keys, row, kind).allMatch(named::contains)).toList();
    }
    return left;
  }

  private static LongStream uids(RowKey keys, byte[] row, UidKind kind) {
    IntStream pairs = IntStream.range(0, keys.tagPairs(row.length));
    return switch (kind) {
      case METRIC -> LongStream.of(keys.metricUid(row, 0));
      case TAGK -> pairs.mapToLong(pair -> keys.tagkUid(row, 0, pair));
      case TAGV -> pairs.mapToLong(pair -> keys.tagvUid(row, 0, pair));
    };
  }

  /** Those of some UIDs that have a name in this width. */
  private Set<Long> named(UidKind kind, int width, LongStream uids) {
    List<Long> all = uids.distinct().boxed().toList();
    List<byte[]> found =
        names.apply(kind, all.stream().map(uid -> Uids.bytes(uid, width)).toList());
    Set<Long> named = new HashSet<>();
    for (int i = 0; i < all.size(); i++) {
      if (found.get(i) != null) {
        named.add(all.get(i));
      }
    }
    return named;
  }

  /** Widths of a kind's UIDs in the UID table, each with a UID; none are known of random UIDs. */
  private SortedMap<Integer, byte[]> widths(UidKind kind) {
    SortedMap<Integer, byte[]> widths = new TreeMap<>();
    if (kind == UidKind.METRIC && schema.randomMetrics()) {
      return widths;
    }
    long last = Math.max(UIDS, counters.applyAsLong(kind));
    for (int width = 1; width <= MOST_WIDTH; width++) {
      long highest = Uids.highest(width);
      LongStream uids =
          LongStream.concat(
                  LongStream.rangeClosed(1, UIDS), LongStream.rangeClosed(last - UIDS + 1, last))
              .filter(uid -> uid <= highest);
      for (long uid : named(kind, width, uids)) {
        widths.put(width, Uids.bytes(uid, width));
      }
    }
    return widths;
  }

  /** All layouts of these UID widths, and of any width of a kind that has none here. */
  private Stream<StorageSchema> layouts(Map<UidKind, SortedMap<Integer, byte[]>> widths) {
    Stream<TsdConfig> layouts =
        upTo(0)
            .map(width -> config.with(StorageSchema.SALT_WIDTH, width))
            .map(layout -> layout.with(StorageSchema.SALT_BUCKETS, "1"));
    for (Map.Entry<UidKind, SortedMap<Integer, byte[]>> found : widths.entrySet()) {
      String key = StorageSchema.widthKey(found.getKey());
      List<String> of =
          found.getValue().isEmpty()
              ? upTo(1).toList()
              : found.getValue().keySet().stream().map(String::valueOf).toList();
      layouts = layouts.flatMap(layout -> of.stream().map(width -> layout.with(key, width)));
    }
    return layouts.map(StorageSchema::from);
  }

  private static Stream<String> upTo(int least) {
    return IntStream.rangeClosed(least, MOST_WIDTH).mapToObj(String::valueOf);
  }

  private void requireNone(StorageSchema other, List<byte[]> rows) {
    List<byte[]> theirs = proving(other, rows);
    if (theirs.isEmpty()) {
      return;
    }
    StringJoiner differences = new StringJoiner("; ");
    if (other.saltWidth() != schema.saltWidth()) {
      differences.add(must(StorageSchema.SALT_WIDTH, other.saltWidth(), schema.saltWidth()));
    }
    for (UidKind kind : UidKind.values()) {
      if (other.width(kind) != schema.width(kind)) {
        differences.add(must(StorageSchema.widthKey(kind), other.width(kind), schema.width(kind)));
      }
    }
    throw JobException.usage(
        ("%s: read so, row %s of table '%s' has UIDs of table '%s'; as configured, none of %s rows"
                + " looked at has")
            .formatted(
                differences,
                HEX.formatHex(theirs.get(0)),
                schema.dataTable(),
                schema.uidTable(),
                rows.size()));
  }

  /**
   * Requires the number of buckets.
   *
   * @param rows that prove the widths
   */
  private void requireBuckets(List<byte[]> rows) {
    int width = schema.saltWidth();
    byte[] zero = new byte[width];
    List<byte[]> salted =
        rows.stream().filter(row -> !Arrays.equals(row, 0, width, zero, 0, width)).toList();
    RowKey keys = new RowKey(schema);
    List<byte[]> wrong = salted.stream().filter(row -> !isInBucket(keys, row)).toList();
    if (wrong.isEmpty()) {
      return;
    }
    int most = Math.min(MOST_BUCKETS, 1 << Math.min(30, 8 * width));
    for (int buckets = 2; buckets <= most; buckets++) {
      RowKey others =
          new RowKey(
              StorageSchema.from(config.with(StorageSchema.SALT_BUCKETS, String.valueOf(buckets))));
      if (salted.stream().allMatch(row -> isInBucket(others, row))) {
        byte[] row = wrong.get(0);
        throw JobException.usage(
            ("%s: so all %s rows looked at have their salt; as configured, row %s of table '%s'"
                    + " would begin with %s")
                .formatted(
                    must(StorageSchema.SALT_BUCKETS, buckets, schema.saltBuckets()),
                    salted.size(),
                    HEX.formatHex(row),
                    schema.dataTable(),
                    HEX.formatHex(keys.bucket(keys.salt(row, 0, row.length)))));
      }
    }
  }

  private static boolean isInBucket(RowKey keys, byte[] row) {
    return keys.check(row, 0, row.length) == null;
  }
}
