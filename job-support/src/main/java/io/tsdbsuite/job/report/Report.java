package io.tsdbsuite.job.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a run in two forms: JSON for programs and a table of text for people. What both
 * show is stated once; {@link #json} and {@link #table} take what only one of them shows. Each form
 * keeps the order of the calls.
 *
 * <pre>
 * {
 *   "report" : "rollup-job", "v" : 3,                              name and version of the fields
 *   "state" : "ended", "exitCode" : 0, "outcome" : "done", "message" : "",            outcome()
 *   "started" : "2026-11-20T03:00:00Z", "ended" : "2026-11-20T03:01:00Z",             times()
 *   "points" : { "read" : 7202, "notANumber" : 2 }                                    section()
 * }
 *
 * points             read                                                  7,202
 *                    not a number                                              2
 * books              close
 * outcome            done                                                             end()
 * </pre>
 */
public final class Report {
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();
  private final TextTable table;
  private boolean running;
  private String outcome = "";

  /** A report that has only its name and the version of its fields. */
  public Report(String name, int version) {
    this(name, version, new TextTable());
  }

  /** The same with an empty table of other widths. */
  public Report(String name, int version, TextTable table) {
    this.table = table;
    json.put("report", name).put("v", version);
  }

  /**
   * Adds the outcome.
   *
   * @param exitCode null while the program runs
   * @param message why the exit code is not 0; empty when it is
   */
  public Report outcome(@Nullable ExitCode exitCode, String message) {
    running = exitCode == null;
    json.put("state", running ? "running" : "ended");
    json.put("exitCode", exitCode == null ? null : (Integer) exitCode.code());
    json.put("outcome", exitCode == null ? "running" : exitCode.name().toLowerCase(Locale.ROOT));
    json.put("message", message);
    if (exitCode != null) {
      outcome =
          exitCode == ExitCode.DONE ? "done" : "exit code " + exitCode.code() + ": " + message;
    }
    return this;
  }

  /** Adds start and end; while the program runs, the end is the present. */
  public Report times(Instant started, Instant ended) {
    json.put("started", started.toString());
    json.put(running ? "updated" : "ended", ended.toString());
    return this;
  }

  /** The JSON, for more fields. */
  public ObjectNode json() {
    return json;
  }

  /** The table, for more lines. */
  public TextTable table() {
    return table;
  }

  /** Adds texts by their keys, as an object and as lines. */
  public void facts(String key, Map<String, String> facts) {
    facts.forEach(json.putObject(key)::put);
    facts.forEach((name, value) -> table.text(TextTable.words(name), value));
  }

  /** Adds texts, as an array and as lines. */
  public void list(String key, String name, List<String> texts) {
    texts.forEach(json.putArray(key)::add);
    texts.forEach(text -> table.text(name, text));
  }

  /** Adds seconds of wall clock by phase. */
  public void phases(Map<String, Double> seconds) {
    seconds.forEach(json.putObject("secondsByPhase")::put);
    seconds.forEach(
        (phase, time) -> table.text("seconds: " + phase, String.format(Locale.ROOT, "%.1f", time)));
  }

  /** Counts in an object, which may exist, and in lines of a group, with the words of the key. */
  public Section section(String key) {
    return section(key, TextTable.words(key));
  }

  /** Counts in an object, which may exist, and in lines of a group, or in no lines. */
  public Section section(String key, @Nullable String group) {
    return new Section(object(json, key), group);
  }

  private static ObjectNode object(ObjectNode parent, String key) {
    return parent.get(key) instanceof ObjectNode found ? found : parent.putObject(key);
  }

  /** Ends the table with the state of the books, in words, and the outcome. */
  public Report end(String books) {
    table.text("books", books).text("outcome", outcome);
    return this;
  }

  /** The JSON as text, with a line break at its end. */
  public String jsonText() {
    return json.toPrettyString() + "\n";
  }

  /** Counts that belong together. */
  public final class Section {
    private final ObjectNode object;
    private @Nullable String group;

    private Section(ObjectNode object, @Nullable String group) {
      this.object = object;
      this.group = group;
    }

    /** The JSON, for fields that have no line. */
    public ObjectNode json() {
      return object;
    }

    /** Adds a count whose line has the words of the key. */
    public Section count(String key, long count) {
      return count(key, TextTable.words(key), count);
    }

    /** Adds a count. */
    public Section count(String key, String name, long count) {
      object.put(key, count);
      return line(name, count);
    }

    /** Adds a count that has no line when it is 0. */
    public Section rare(String key, String name, long count) {
      object.put(key, count);
      return count == 0 ? this : line(name, count);
    }

    /**
     * Adds a count of one reason, to the object {@code kind} of the section.
     *
     * @param kind for example {@code skipped}
     */
    public Section reason(String kind, String key, String name, long count) {
      object(object, kind).put(key, count);
      return line(kind + ": " + name, count);
    }

    private Section line(String name, long count) {
      if (group != null) {
        table.count(group, name, count);
        group = "";
      }
      return this;
    }
  }
}
