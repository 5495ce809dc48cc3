package io.tsdbsuite.coverage;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the coverage table. All keys, qualifiers and values are text in UTF-8, so that {@code
 * hbase shell} shows them.
 *
 * <pre>
 *   row key                           columns of family c
 *   floor/LEVEL/WRITER                before metrics evidence asOf
 *   format                            version
 *   marker/TABLE                      id [next]
 *   mask/HOUR/METRIC                  late/TSUID late/* late/&#42;/TO, and the same of lost
 *   window/LEVEL/FROM/WRITER          to table asOf metrics evidence full [expires]
 * </pre>
 *
 * <p>Specified in docs/coverage.md. Other programs write the table: a row that breaks a rule is
 * refused with an {@link IllegalArgumentException} that names row, rule and value.
 */
public final class CoverageRows {
  /** The one family of the table. */
  public static final String FAMILY = "c";

  /** The name of a coverage table, unless there is reason for another. */
  public static final String DEFAULT_TABLE = "tsdb-coverage";

  /** The row with the version of the specification. */
  public static final String FORMAT_ROW = "format";

  /** Column of {@link #FORMAT_ROW}. */
  public static final String VERSION_COLUMN = "version";

  /** The version of a new table, which has no floors. */
  public static final String VERSION = "1";

  /**
   * The version of a table that may have floors. A reader of {@link #VERSION} alone would read raw
   * data that are gone, and refuses it.
   */
  public static final String FLOOR_VERSION = "2";

  /**
   * The version of a table that may have floors, and windows of levels: {@code 1h.p99} beside
   * {@code 1h}. A program of {@link #FLOOR_VERSION} would repair the four values of an hour alone
   * and delete its masks, and refuses it.
   */
  public static final String LEVEL_VERSION = "3";

  /** The versions that this release knows, for messages. */
  public static final String VERSIONS = VERSION + ", " + FLOOR_VERSION + " or " + LEVEL_VERSION;

  /** Column of a marker: the id that the rollup table has. */
  public static final String ID_COLUMN = "id";

  /** Column of a marker: the id that a writer is about to give the rollup table. */
  public static final String NEXT_COLUMN = "next";

  /** Family of rollup tables. */
  public static final String TABLE_FAMILY = "t";

  /** The column with the id in {@link #tableMarkerRow()} of a rollup table. */
  public static final String TABLE_COLUMN = "coverage";

  static final String MARKER_PREFIX = "marker/";

  /** Prefix of the row keys of floors. */
  public static final String FLOOR_PREFIX = "floor/";

  /** Prefix of the row keys of masks. */
  public static final String MASK_PREFIX = "mask/";

  /** Prefix of the row keys of windows. */
  public static final String WINDOW_PREFIX = "window/";

  // 8 bytes of salt, 8 of the metric's UID, 4 of the time: the widest that OpenTSDB knows.
  private static final int TABLE_MARKER_BYTES = 20;

  private static final int MAX_ROW = 1024;
  private static final int MAX_VALUE = 4096;
  private static final int MAX_PATTERNS = 100;
  private static final int MAX_TSUID = 256;
  private static final int HOUR_SECONDS = 3600;
  private static final int DAY_SECONDS = 86_400;

  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern MARKER = Pattern.compile("marker/([A-Za-z0-9._:-]{1,255})");
  private static final Pattern MASK = Pattern.compile("mask/([0-9]{10})/(.{1,512})");
  private static final Pattern WINDOW =
      Pattern.compile(
          "window/([1-9][0-9]{0,8}[smhdwny](?:\\.[a-z0-9]{1,16})?)/([0-9]{10})"
              + "/([A-Za-z0-9._-]{1,100})");
  private static final Pattern FLOOR =
      Pattern.compile("floor/(raw|[1-9][0-9]{0,8}[smhdwny])/([A-Za-z0-9._-]{1,100})");
  private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9._:-]{1,255}");
  private static final Pattern NAME =
      Pattern.compile("([A-Za-z0-9_]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{10}");
  private static final Pattern MILLIS = Pattern.compile("[0-9]{13}");
  private static final Pattern MASK_COLUMN =
      Pattern.compile(
          "(late|lost)/(?:((?:[0-9A-F]{2}){1," + MAX_TSUID + "})|\\*(?:/([0-9]{10}))?)");

  private static final String DEFAULT_NAMESPACE = "default:";

  private CoverageRows() {}

  /** Whether this release knows a version of the table; null is none. */
  public static boolean isKnown(@Nullable String version) {
    return VERSION.equals(version) || hasFloors(version);
  }

  /** Whether a table of a version may have floors; null is none. */
  public static boolean hasFloors(@Nullable String version) {
    return FLOOR_VERSION.equals(version) || hasLevels(version);
  }

  /** Whether a table of a version may have windows of levels; null is none. */
  public static boolean hasLevels(@Nullable String version) {
    return LEVEL_VERSION.equals(version);
  }

  /** The interval of a level: {@code 1h} of {@code 1h.p99}, and of {@code 1h} itself. */
  public static String interval(String level) {
    int dot = level.indexOf('.');
    return dot < 0 ? level : level.substring(0, dot);
  }

  /**
   * The row of a rollup table that holds its id: before the rows of all metrics, at time 0 of the
   * metric whose UID is 0, which no query reads.
   */
  public static byte[] tableMarkerRow() {
    return new byte[TABLE_MARKER_BYTES];
  }

  /** Whether a text has the form of a table's name, with or without a namespace. */
  public static boolean isTableName(String name) {
    return NAME.matcher(name).matches();
  }

  /** The name of a table without the namespace {@code default}. */
  public static String tableName(String table) {
    return table.startsWith(DEFAULT_NAMESPACE)
        ? table.substring(DEFAULT_NAMESPACE.length())
        : table;
  }

  /** Row key of a table's marker. */
  public static String markerRow(String table) {
    return MARKER_PREFIX + tableName(table);
  }

  /**
   * Row key of a window.
   *
   * @param level as of {@link CoverageWindow#interval()}
   * @param from seconds since the epoch
   */
  public static String windowRow(String level, long from, String writer) {
    return WINDOW_PREFIX + level + "/" + seconds(from) + "/" + writer;
  }

  /** Row key of a floor. */
  public static String floorRow(String level, String writer) {
    return FLOOR_PREFIX + level + "/" + writer;
  }

  /**
   * Row key of a mask.
   *
   * @param hour start of its first hour, seconds since the epoch
   * @param metric its name, or {@link CoverageMask#ALL_METRICS}
   */
  public static String maskRow(long hour, String metric) {
    return MASK_PREFIX + seconds(hour) + "/" + metric;
  }

  /**
   * Whether a metric can have masks of its own; others have those of {@link
   * CoverageMask#ALL_METRICS}.
   */
  public static boolean canMask(String metric) {
    return MASK.matcher(maskRow(0, metric)).matches()
        && maskRow(0, metric).getBytes(StandardCharsets.UTF_8).length <= MAX_ROW;
  }

  /**
   * Whether readers take a mask that names a series: one of very many tags has a longer TSUID, and
   * its masks are of all series.
   *
   * @param tsuid in hex, upper case
   */
  public static boolean canName(String tsuid) {
    return !tsuid.isEmpty() && tsuid.length() <= 2 * MAX_TSUID;
  }

  /**
   * Column of a mask that names a series, if {@link #canName} it.
   *
   * @param tsuid in hex, upper case
   */
  public static String maskColumn(CoverageMask.Kind kind, String tsuid) {
    return kind.code() + "/" + tsuid;
  }

  /** Column of a mask of too many series to name them, of one hour. */
  public static String maskColumn(CoverageMask.Kind kind) {
    return kind.code() + "/*";
  }

  /**
   * Column of a mask of several hours, from that of the row on.
   *
   * @param to end of the last hour, seconds since the epoch, exclusive
   */
  public static String maskColumn(CoverageMask.Kind kind, long to) {
    return kind.code() + "/*/" + seconds(to);
  }

  /** Whether a column of its row is one of a mask's. */
  public static boolean isOf(CoverageMask mask, String column) {
    Matcher found = MASK_COLUMN.matcher(column);
    return found.matches()
        && found.group(1).equals(mask.kind().code())
        && (found.group(2) != null) == (mask.series() > 0)
        && mask.to()
            == (found.group(3) == null
                ? mask.from() + HOUR_SECONDS
                : Long.parseLong(found.group(3)));
  }

  private static String seconds(long time) {
    return String.format(Locale.ROOT, "%010d", time);
  }

  /** Whether readers take these metrics of a window: not too many patterns, nor too long. */
  public static boolean isSelection(String metrics) {
    return metrics.split(",", -1).length <= MAX_PATTERNS
        && metrics.getBytes(StandardCharsets.UTF_8).length <= MAX_VALUE;
  }

  /**
   * The columns of a window; its row key is {@link #windowRow}.
   *
   * @throws IllegalArgumentException when no reader would take the window, or it is a refresh
   */
  public static Map<String, String> columns(CoverageWindow window) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("to", seconds(window.to()));
    columns.put("table", window.table());
    columns.put("asOf", Long.toString(window.asOf()));
    columns.put("metrics", window.metrics());
    columns.put("evidence", window.evidence());
    if (window.isRefresh()) {
      throw new IllegalArgumentException("a refresh has no row: " + window);
    }
    // Always, because it may replace that of an earlier row.
    columns.put("full", Long.toString(window.fullAsOf()));
    if (window.expires() != CoverageWindow.NEVER) {
      columns.put("expires", Long.toString(window.expires()));
    }
    CoverageWindow unused =
        window(windowRow(window.interval(), window.from(), window.writer()), columns);
    return columns;
  }

  /**
   * Reads a window.
   *
   * @throws IllegalArgumentException when a rule is broken
   */
  static CoverageWindow window(String row, Map<String, String> columns) {
    Matcher key = WINDOW.matcher(row);
    require(key.matches(), row, "the key must be window/LEVEL/FROM/WRITER", row);
    long from = Long.parseLong(key.group(2));
    long to = number(row, columns, "to", SECONDS, "10 digits");
    require(to > from, row, "to must be after " + from, to);
    long asOf = number(row, columns, "asOf", MILLIS, "13 digits");
    require(to * 1000 <= asOf, row, "the window must end at asOf or before, " + asOf, to);
    String table = text(row, columns, "table");
    require(TABLE.matcher(table).matches(), row, "table must be a table's name", table);
    String metrics = metrics(row, columns);
    CoverageWindow window =
        CoverageWindow.of(
            key.group(1),
            from,
            to,
            key.group(3),
            table,
            asOf,
            metrics,
            text(row, columns, "evidence"));
    if (columns.containsKey("full")) {
      long full = number(row, columns, "full", MILLIS, "13 digits");
      require(full <= asOf, row, "full must not be after asOf, " + asOf, full);
      window = window.full(full);
    }
    if (columns.containsKey("expires")) {
      window = window.expiring(number(row, columns, "expires", MILLIS, "13 digits"));
    }
    for (String column : columns.keySet()) {
      require(isWindowColumn(column), row, "the columns must be known", column);
    }
    return window;
  }

  private static String metrics(String row, Map<String, String> columns) {
    String metrics = text(row, columns, "metrics");
    String[] patterns = metrics.split(",", -1);
    require(patterns.length <= MAX_PATTERNS, row, "too many patterns", patterns.length);
    for (String pattern : patterns) {
      require(
          !pattern.isEmpty() && !pattern.equals("!"), row, "a pattern must not be empty", metrics);
    }
    return metrics;
  }

  private static boolean isWindowColumn(String column) {
    switch (column) {
      case "to":
      case "table":
      case "asOf":
      case "metrics":
      case "evidence":
      case "full":
      case "expires":
        return true;
      default:
        return false;
    }
  }

  /**
   * The columns of a floor; its row key is {@link #floorRow}.
   *
   * @throws IllegalArgumentException when no reader would take the floor
   */
  public static Map<String, String> columns(CoverageFloor floor) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("before", seconds(floor.before()));
    columns.put("metrics", floor.metrics());
    columns.put("evidence", floor.evidence());
    columns.put("asOf", Long.toString(floor.asOf()));
    CoverageFloor unused = floor(floorRow(floor.level(), floor.writer()), columns);
    return columns;
  }

  /**
   * Reads a floor.
   *
   * @throws IllegalArgumentException when a rule is broken
   */
  static CoverageFloor floor(String row, Map<String, String> columns) {
    Matcher key = FLOOR.matcher(row);
    require(key.matches(), row, "the key must be floor/LEVEL/WRITER", row);
    long before = number(row, columns, "before", SECONDS, "10 digits");
    require(before % DAY_SECONDS == 0, row, "before must be a midnight", before);
    long asOf = number(row, columns, "asOf", MILLIS, "13 digits");
    require(before * 1000 <= asOf, row, "before must not be after asOf, " + asOf, before);
    CoverageFloor floor =
        new CoverageFloor(
            key.group(1),
            key.group(2),
            before,
            metrics(row, columns),
            text(row, columns, "evidence"),
            asOf);
    require(columns.size() == 4, row, "the columns must be known", columns.keySet());
    return floor;
  }

  /**
   * Reads the masks of a row: one for each kind and end, and one more for named series.
   *
   * @param columns with the times of their cells, milliseconds since the epoch
   * @throws IllegalArgumentException when a rule is broken
   */
  static List<CoverageMask> masks(String row, Map<String, Long> columns) {
    Matcher key = MASK.matcher(row);
    require(key.matches(), row, "the key must be mask/HOUR/METRIC", row);
    long hour = Long.parseLong(key.group(1));
    require(hour % HOUR_SECONDS == 0, row, "HOUR must be the start of an hour", hour);
    Map<String, CoverageMask> masks = new LinkedHashMap<>();
    for (Map.Entry<String, Long> cell : columns.entrySet()) {
      CoverageMask mask = mask(row, hour, key.group(2), cell.getKey(), cell.getValue());
      // One of all series goes by other rules than those of named ones.
      String each = mask.kind().code() + mask.to() + (mask.series() > 0);
      masks.merge(each, mask, CoverageRows::both);
    }
    return new ArrayList<>(masks.values());
  }

  private static CoverageMask mask(
      String row, long hour, String metric, String name, long written) {
    Matcher column = MASK_COLUMN.matcher(name);
    require(
        column.matches(), row, "the columns must be late/TSUID, late/*, late/*/TO or lost", name);
    String end = column.group(3);
    long to = end == null ? hour + HOUR_SECONDS : Long.parseLong(end);
    require(to > hour && to % HOUR_SECONDS == 0, row, "TO must be the end of a later hour", name);
    CoverageMask.Kind kind =
        column.group(1).equals(CoverageMask.Kind.LATE.code())
            ? CoverageMask.Kind.LATE
            : CoverageMask.Kind.LOST;
    return new CoverageMask(hour, to, metric, kind, column.group(2) == null ? 0 : 1, written);
  }

  private static CoverageMask both(CoverageMask one, CoverageMask other) {
    return new CoverageMask(
        one.from(),
        one.to(),
        one.metric(),
        one.kind(),
        one.series() + other.series(),
        Math.max(one.time(), other.time()));
  }

  /**
   * Reads a row of a window by itself; {@link CoverageReader} reads the whole table.
   *
   * @param cells of the row, at least one
   * @throws IllegalArgumentException when a rule is broken
   */
  public static CoverageWindow window(List<CoverageCell> cells) {
    String row = row(cells.get(0).row());
    return window(row, texts(row, cells));
  }

  /**
   * Reads a row of a floor by itself, as {@link #window(List)}.
   *
   * @throws IllegalArgumentException when a rule is broken
   */
  public static CoverageFloor floor(List<CoverageCell> cells) {
    String row = row(cells.get(0).row());
    return floor(row, texts(row, cells));
  }

  /**
   * Reads a row of masks by itself, as {@link #window(List)}.
   *
   * @throws IllegalArgumentException when a rule is broken
   */
  public static List<CoverageMask> masks(List<CoverageCell> cells) {
    String row = row(cells.get(0).row());
    return masks(row, times(row, cells));
  }

  /** The table of a marker. */
  static String markerTable(String row) {
    Matcher key = MARKER.matcher(row);
    require(key.matches(), row, "the key must be marker/TABLE", row);
    return key.group(1);
  }

  /**
   * Checks the columns of a marker.
   *
   * @throws IllegalArgumentException when a rule is broken
   */
  static void checkMarker(String row, Map<String, String> columns) {
    for (Map.Entry<String, String> column : columns.entrySet()) {
      String name = column.getKey();
      require(
          name.equals(ID_COLUMN) || name.equals(NEXT_COLUMN),
          row,
          "the columns must be known",
          name);
      require(
          ID.matcher(column.getValue()).matches(),
          row,
          name + " must be 32 digits in hex",
          column.getValue());
    }
  }

  /** The text of a row key. */
  static String row(byte[] key) {
    require(key.length <= MAX_ROW, "", "a key must have at most " + MAX_ROW + " bytes", key.length);
    return decode("", key);
  }

  /** The problem of a row that this version does not know. */
  static IllegalArgumentException unknown(String row) {
    return new IllegalArgumentException(where(row) + "its kind must be known");
  }

  /** The columns of a row as text. */
  static Map<String, String> texts(String row, List<CoverageCell> cells) {
    Map<String, String> columns = new LinkedHashMap<>();
    for (CoverageCell cell : cells) {
      int length = cell.value().length;
      require(length <= MAX_VALUE, row, "a value must have at most " + MAX_VALUE, length);
      columns.put(decode(row, cell.qualifier()), decode(row, cell.value()));
    }
    return columns;
  }

  /** The times of the columns of a row. */
  static Map<String, Long> times(String row, List<CoverageCell> cells) {
    Map<String, Long> columns = new LinkedHashMap<>();
    for (CoverageCell cell : cells) {
      String name = decode(row, cell.qualifier());
      Long other = columns.get(name);
      columns.put(name, other == null ? cell.time() : Math.max(other, cell.time()));
    }
    return columns;
  }

  private static String decode(String row, byte[] text) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(where(row) + "must be text in UTF-8", e);
    }
  }

  private static String text(String row, Map<String, String> columns, String name) {
    String value = columns.get(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(where(row) + "must have the column " + name);
    }
    return value;
  }

  private static long number(
      String row, Map<String, String> columns, String name, Pattern rule, String digits) {
    String value = text(row, columns, name);
    require(rule.matcher(value).matches(), row, name + " must have " + digits, value);
    return Long.parseLong(value);
  }

  private static void require(boolean holds, String row, String rule, Object found) {
    if (!holds) {
      throw new IllegalArgumentException(where(row) + rule + ", found " + shown(found));
    }
  }

  private static String where(String row) {
    return row.isEmpty() ? "" : "row " + shown(row) + ": ";
  }

  /** A value for a message: short, without control characters. */
  private static String shown(Object found) {
    String text = String.valueOf(found).replaceAll("\\p{Cntrl}", "?");
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }
}
