package io.tsdbsuite.rollup.report;

import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupPlan;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * How a run went: what {@code RollupJob} returns, and what the report file and the final table are
 * made of.
 *
 * @param exitCode what the process ends with
 * @param message one sentence that says why it is not {@link ExitCode#DONE}; empty when it is
 * @param started when the run began
 * @param ended when it ended
 * @param input what was read, by the names of the JSON report, in the order in which it is shown
 * @param interval the rollup interval, for example {@code 1h}
 * @param from first hour, inclusive
 * @param to last hour, exclusive
 * @param holdBack how far the window stayed behind the present
 * @param plan what there was to read; null when it was not known yet
 * @param books what became of it
 * @param phases seconds of wall clock for each phase, in order
 * @param warnings what an operator should know though the run went well
 */
public record RollupReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    Map<String, String> input,
    String interval,
    Instant from,
    Instant to,
    HoldBack holdBack,
    RollupPlan plan,
    Books books,
    Map<String, Double> phases,
    List<String> warnings) {}
