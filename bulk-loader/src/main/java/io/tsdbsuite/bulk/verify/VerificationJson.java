package io.tsdbsuite.bulk.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.job.ExitCode;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The report of a comparison as JSON; docs/bulk-loader.md describes the fields. */
public final class VerificationJson {
  private static final int VERSION = 1;
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private VerificationJson() {}

  /**
   * One JSON object, with a line break at its end.
   *
   * @param found null when the comparison was not completed
   * @param message why the exit code is not 0; empty when it is
   */
  public static String write(
      @Nullable Verification found,
      ExitCode exitCode,
      String message,
      Instant started,
      Instant ended) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("report", "bulk-loader");
    root.put("v", VERSION);
    root.put("command", "verify");
    root.put("state", "ended");
    root.put("exitCode", exitCode.code());
    root.put("outcome", exitCode.name().toLowerCase(Locale.ROOT));
    root.put("message", message);
    root.put("started", started.toString());
    root.put("ended", ended.toString());
    root.put("booksClose", found != null && found.closes());
    if (found != null) {
      points(root.putObject("points"), found);
      found.findings().samples().forEach(root.putArray("samples")::add);
    }
    try {
      return MAPPER.writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
    }
  }

  private static void points(ObjectNode node, Verification found) {
    node.put("read", found.tally().get(Count.POINTS_READ));
    node.put("same", found.findings().same());
    node.put("missing", found.findings().missing());
    node.put("different", found.findings().different());
    node.put("duplicatesIdentical", found.tally().get(Count.DUPLICATES_IDENTICAL));
    node.put("duplicatesConflicting", found.tally().get(Count.DUPLICATES_CONFLICTING));
    node.put("rejected", found.tally().rejected());
    ObjectNode rejected = node.putObject("rejectedByReason");
    for (RejectReason reason : RejectReason.values()) {
      rejected.put(reason.key(), found.tally().rejected(reason));
    }
    node.put("skipped", found.tally().skipped());
    ObjectNode skipped = node.putObject("skippedByKind");
    for (SkipKind kind : SkipKind.values()) {
      skipped.put(kind.key(), found.tally().skipped(kind));
    }
  }
}
