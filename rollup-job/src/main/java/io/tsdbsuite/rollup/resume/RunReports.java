package io.tsdbsuite.rollup.resume;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.report.ReportJson;
import io.tsdbsuite.rollup.report.RunIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The report that a run writes and the report that it resumes.
 *
 * @param report name of the file to write; null if the user gives none
 * @param resume name of the report to resume; null for a new run
 */
public record RunReports(@Nullable String report, @Nullable String resume) {
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HH").withZone(ZoneOffset.UTC);

  /** A time in the names of reports and directories: {@code 20261127T031500Z}. */
  public static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /** Options that are equal if two runs write the same cells. */
  private static final List<String> SAME =
      List.of(
          "--from", "--to", "--interval", "--metrics", "--sink", "--topic", "--kafka-bootstrap");

  private static final String SNAPSHOT = "--data-snapshot";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Whether there is a report to resume that can be read without the Hadoop configuration. */
  public boolean resumesLocal() {
    return resume != null && ReportFile.isLocal(resume);
  }

  /**
   * Reads the run to resume.
   *
   * @param identity identity of this run
   * @param hadoop not needed for a local file
   * @return null for a new run
   * @throws JobException usage, when the report cannot be resumed or is of another run
   */
  public @Nullable EarlierRun earlier(RunIdentity identity, @Nullable Configuration hadoop) {
    if (resume == null) {
      return null;
    }
    EarlierRun earlier =
        ReportFile.of(resume, hadoop)
            .read("--resume", stream -> EarlierRunReader.read(resume, stream));
    List<String> problems = ResumeCheck.options(earlier, identity);
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
    if (!earlier.done()) {
      requireNewest(earlier, hadoop);
    }
    return earlier;
  }

  /** Checks the known reports: the files beside the resumed report and beside the new one. */
  private void requireNewest(EarlierRun earlier, @Nullable Configuration hadoop) {
    Map<String, ReportFile> known = new LinkedHashMap<>();
    for (String name : Arrays.asList(resume, report)) {
      // The Hadoop configuration may not be available yet if one of the two files is local.
      if (name != null && (hadoop != null || ReportFile.isLocal(name))) {
        ReportFile.of(name, hadoop).beside().forEach(file -> known.put(file.toString(), file));
      }
    }
    for (ReportFile file : known.values()) {
      Optional<Instant> taken = file.look(stream -> laterRun(earlier, stream));
      if (taken.isPresent()) {
        throw JobException.usage(
            ("--resume %s: its data snapshot was taken %s, and %s is the report of a run over the"
                    + " same window that is done, with a snapshot of %s: going on would put older"
                    + " values over newer ones; there is nothing left to do")
                .formatted(
                    earlier.report(),
                    earlier.identity().snapshots().get("--data-snapshot"),
                    file,
                    taken.get()));
      }
    }
  }

  /**
   * Reads the report of another run, or any other content. Resuming a run that is older than a
   * completed one over the same window would overwrite newer values.
   *
   * @return the snapshot time of a completed later run over the same window; empty if it is none
   */
  private static Optional<Instant> laterRun(EarlierRun earlier, InputStream report)
      throws IOException {
    try (JsonParser parser = MAPPER.getFactory().createParser(report)) {
      parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      ObjectNode root = done(parser);
      if (root == null || !isSame(earlier.identity().options(), root.at("/resume/options"))) {
        return Optional.empty();
      }
      Instant own = Instant.parse(earlier.identity().snapshots().getOrDefault(SNAPSHOT, ""));
      Instant other = Instant.parse(root.at("/resume/snapshots/" + SNAPSHOT).asText());
      return other.isAfter(own) ? Optional.of(other) : Optional.empty();
    } catch (JacksonException | DateTimeException e) {
      // Not a report of this job, or a run without a loaded snapshot, which emitted nothing.
      return Optional.empty();
    }
  }

  /**
   * Stops reading as early as possible: the report of an incomplete run may have a line for each
   * partition.
   */
  private static @Nullable ObjectNode done(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return null;
    }
    ObjectNode root = MAPPER.createObjectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      parser.nextToken();
      JsonNode value = MAPPER.readTree(parser);
      root.set(field, value);
      boolean other = field.equals("report") && !value.asText().equals(ReportJson.NAME);
      boolean open = field.equals("exitCode") && value.asInt(-1) != ExitCode.DONE.code();
      if (other || open) {
        return null;
      }
    }
    return root;
  }

  private static boolean isSame(Map<String, String> options, JsonNode other) {
    return SAME.stream()
        .allMatch(name -> Objects.equals(options.get(name), other.path(name).asText(null)));
  }

  /**
   * Returns the file to write.
   *
   * @param now start time for the default name
   * @param cluster whether the driver's directory is removed when the driver ends
   * @param warnings receives a warning if no file outlives the driver
   * @return null if no report was requested and the current directory is not writable
   * @throws JobException usage, when the requested file cannot be created
   */
  public @Nullable ReportFile file(
      RollupOptions options,
      Configuration hadoop,
      Instant now,
      boolean cluster,
      Consumer<String> warnings) {
    String name = report == null ? resume : report;
    if (name != null) {
      return ReportFile.checked(name, hadoop);
    }
    if (cluster) {
      warnings.accept(
          "without --report URI the report is in the driver's directory, which ends with it: a run"
              + " that dies cannot be resumed");
    }
    if (!Files.isWritable(Path.of("").toAbsolutePath())) {
      warnings.accept(
          "the current directory cannot be written, so there is no report and a run that dies"
              + " cannot be resumed: give --report");
      return null;
    }
    return ReportFile.of(defaultName(options, now), hadoop);
  }

  /**
   * The default name, in the current directory, for example {@code
   * rollup-job-20261119T00-20261120T00-1m-1h-started-20261120T031500Z.json}. It makes every crashed
   * run resumable without preparation. The name contains the start time, so a restarted run does
   * not replace the report of the crashed one.
   */
  private static String defaultName(RollupOptions options, Instant now) {
    return "rollup-job-%s-%s-%s-started-%s.json"
        .formatted(
            HOUR.format(Instant.ofEpochSecond(options.from())),
            HOUR.format(Instant.ofEpochSecond(options.to())),
            options.intervals().text().replace(',', '-'),
            SECOND.format(now));
  }
}
