package io.tsdbsuite.nightly.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Locale;

/**
 * The report of a run, for metrics and people. No run reads it: what is done is in the reports of
 * the job.
 */
public final class NightReportFile {
  private static final int VERSION = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private NightReportFile() {}

  /**
   * Replaces the file.
   *
   * @throws IOException when it cannot be written
   */
  public static void write(Path file, NightResult result, Instant started, Instant ended)
      throws IOException {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("report", "rollup-nightly").put("v", VERSION).put("state", "ended");
    root.put("exitCode", result.exitCode().code());
    root.put("outcome", result.exitCode().name().toLowerCase(Locale.ROOT));
    root.put("message", result.line());
    root.put("started", started.toString()).put("ended", ended.toString());
    ObjectNode days = root.putObject("days");
    days.put("told", result.days().size());
    days.put("failed", result.days().stream().filter(DayResult::isFailed).count());
    days.put("rolledUp", result.days().stream().filter(DayResult::isRolledUp).count());
    days.put("waiting", result.days().stream().filter(DayResult::isWaiting).count());
    days.put("notCovered", result.days().stream().filter(NightReportFile::isNotCovered).count());
    ArrayNode notCovered = root.putArray("notCovered");
    for (DayResult day : result.days()) {
      if (isNotCovered(day)) {
        notCovered.addObject().put("day", day.day().toString()).put("reason", day.notCovered());
      }
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(part, root.toPrettyString());
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean isNotCovered(DayResult day) {
    return !day.notCovered().isEmpty();
  }
}
