package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.job.JobException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Follows the comments of InfluxDB exports, as InfluxDB's own import does. Not thread-safe.
 *
 * <pre>
 *   # DDL
 *   CREATE DATABASE telegraf WITH NAME autogen      skipped up to # DML
 *   # DML
 *   # CONTEXT-DATABASE:telegraf                     hold for the lines behind them
 *   # CONTEXT-RETENTION-POLICY:autogen
 * </pre>
 *
 * <p>A context must precede the first line of a file: a later one ends the load, because the
 * database of the earlier lines is unknown.
 */
public final class InfluxSections {
  private static final byte[] DDL = bytes("# DDL");
  private static final byte[] DML = bytes("# DML");
  private static final byte[] DATABASE = bytes("# CONTEXT-DATABASE:");
  private static final byte[] POLICY = bytes("# CONTEXT-RETENTION-POLICY:");
  private static final byte[] EXPORT = bytes("# INFLUXDB EXPORT");
  private static final List<byte[]> MARKS = List.of(DDL, DML, DATABASE, POLICY, EXPORT);

  /** First words of statements. */
  private static final List<String> STATEMENTS =
      List.of("CREATE", "ALTER", "DROP", "GRANT", "REVOKE", "SET", "DELETE");

  private static final int LONGEST_STATEMENT = 6;

  private final @Nullable InfluxContexts contexts;
  private String part = "";
  private boolean fromStart;
  private boolean ddl;
  private boolean bareLines;
  private boolean judged;
  private @Nullable Count verdict;
  private InfluxContext context = InfluxContext.NONE;

  /**
   * At the beginning of a part.
   *
   * @param contexts of the exports of the load; null to take any lines together
   */
  public InfluxSections(@Nullable InfluxContexts contexts) {
    this.contexts = contexts;
    begin("", true);
  }

  /** One that takes any lines together. */
  static InfluxSections ignored() {
    return new InfluxSections(null);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Whether a file begins as an export, which can be read from its start only.
   *
   * @param head text
   */
  public static boolean isExport(byte[] head) {
    int start = 0;
    while (start < head.length) {
      int at = start;
      if (MARKS.stream().anyMatch(mark -> startsWith(head, at, head.length, mark))) {
        return true;
      }
      while (start < head.length && head[start] != '\n') {
        start++;
      }
      start++;
    }
    return false;
  }

  /**
   * Notes the contexts that the beginning of a file has lines of.
   *
   * @param head its first {@link FormatDetector#HEAD} bytes, or all of it
   * @throws JobException bad input, when it names a context too late
   */
  public static void look(String name, byte[] head, InfluxContexts contexts) {
    InfluxSections sections = new InfluxSections(contexts);
    sections.begin(name, true);
    byte[] lines = FormatDetector.wholeLines(head);
    try {
      sections.scan(new ByteArrayInputStream(lines), Long.MAX_VALUE, true);
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot fail to be read", e);
    }
  }

  /**
   * A part begins.
   *
   * @param name of the part, for messages
   * @param start whether it begins at the start of the file
   */
  public void begin(String name, boolean start) {
    part = name;
    fromStart = start;
    ddl = false;
    bareLines = false;
    judged = false;
    context = InfluxContext.NONE;
  }

  /**
   * Reads the comments before the line at which reading continues.
   *
   * @param in from the beginning of the file
   * @param bytes offset of that line
   */
  public void replay(InputStream in, long bytes) throws IOException {
    scan(in, bytes, false);
  }

  private void scan(InputStream in, long bytes, boolean note) throws IOException {
    new LineReader(
            new LineParser() {
              @Override
              public int parse(byte[] b, int off, int end, long line, PointHandler handler) {
                if (!judged && !isStatement(b, off, end)) {
                  bareLines |= !context.isNamed();
                  if (note && contexts != null && context.isNamed()) {
                    contexts.saw(context);
                  }
                  judged = note;
                }
                return 0;
              }

              @Override
              public void comment(byte[] b, int off, int end, long line) {
                InfluxSections.this.comment(b, off, end, line);
              }
            })
        .read(in, Position.START, bytes, IgnoringHandler.INSTANCE);
  }

  /**
   * A line that begins with {@code #}.
   *
   * @throws JobException bad input, when it names a context too late
   */
  void comment(byte[] b, int off, int end, long line) {
    if (startsWith(b, off, end, DDL)) {
      ddl = true;
    } else if (startsWith(b, off, end, DML)) {
      ddl = false;
    } else if (startsWith(b, off, end, DATABASE)) {
      to(new InfluxContext(name(b, off + DATABASE.length, end), context.retentionPolicy()), line);
    } else if (startsWith(b, off, end, POLICY)) {
      to(new InfluxContext(context.database(), name(b, off + POLICY.length, end)), line);
    }
  }

  private void to(InfluxContext next, long line) {
    if (contexts == null) {
      return;
    }
    if (bareLines || !fromStart) {
      throw JobException.badInput(
          part
              + ": line "
              + line
              + ": an InfluxDB export must name its database before the first point, found "
              + next
              + " behind points of no database");
    }
    context = next;
    judged = false;
  }

  private static String name(byte[] b, int off, int end) {
    return new String(b, off, end - off, StandardCharsets.UTF_8).trim();
  }

  /** Whether it is a statement between {@code # DDL} and {@code # DML}. */
  boolean isStatement(byte[] b, int off, int end) {
    if (!ddl) {
      return false;
    }
    int blank = Words.blank(b, off, end);
    return blank < end
        && blank - off <= LONGEST_STATEMENT
        && STATEMENTS.contains(
            new String(b, off, blank - off, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT));
  }

  /**
   * The count that lines at this place add to; null if they are loaded.
   *
   * @throws JobException usage, when they must not be loaded
   */
  @Nullable Count skipped() {
    if (!judged) {
      verdict = judge();
      judged = true;
    }
    return verdict;
  }

  private @Nullable Count judge() {
    if (contexts == null) {
      return null;
    }
    if (context.isNamed()) {
      return contexts.met(context);
    }
    bareLines = true;
    if (!contexts.choice().isNone()) {
      throw JobException.usage(
          part
              + ": has lines without a database, which "
              + contexts.choice()
              + " cannot select: load the file by itself, without the option");
    }
    return null;
  }

  private static boolean startsWith(byte[] b, int off, int end, byte[] start) {
    return end - off >= start.length
        && Arrays.equals(b, off, off + start.length, start, 0, start.length);
  }
}
