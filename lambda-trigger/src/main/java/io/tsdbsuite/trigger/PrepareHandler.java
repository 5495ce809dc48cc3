package io.tsdbsuite.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.planner.run.ShellWords;
import io.tsdbsuite.trigger.config.ComputeSettings;
import io.tsdbsuite.trigger.config.PrepareSettings;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.start.ExecutionInput.PrepareInput;
import io.tsdbsuite.trigger.start.RunningExecutions;
import io.tsdbsuite.trigger.step.DayStep;
import io.tsdbsuite.trigger.step.DayStep.JobRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;

/**
 * The first task of each attempt of the state machine. Takes a {@link PrepareInput}; returns {@code
 * {"steps":[{"day":"2026-11-20","name":"rollup 2026-11-20","report":"s3://.../2026-11-20.json",
 * "args":["spark-submit",...]}]}}, without a step when all days are done. With COMPUTE_KIND
 * SERVERLESS a step has {@code "job":{"name":"rollup 2026-11-20","entryPoint":"s3://.../x.jar",
 * "arguments":[...],"sparkParameters":"--conf ..."}} instead of args. With COVERAGE_PATIENCE a step
 * also has {@code "coverage":{"name":"coverage 2026-11-20",...}} with args or a job; steps of days
 * that only lack their coverage have nothing else but day and report. {@code "tiers"} has commands
 * to run after the steps, each with name and args or a job; without TIERS_TABLES none. {@code
 * "verify"} has more of them to run before these; without VERIFY_SAMPLE none. With {@code --sink
 * hfile} each step has {@code "loads":true}, and nothing else but day and report if only its HFiles
 * are left to load; asked with {@code "load":"2026-11-20"}, it returns {@code {"load":{...}}} with
 * name and args or a job, or {} when the day's HFiles are loaded. Fails with {@link
 * SnapshotNotWhole} when a snapshot is incomplete, with {@link SnapshotMissing} when nothing of it
 * exists, and with {@link DayIsRunning} when an older execution is running one of the days.
 */
public final class PrepareHandler implements RequestStreamHandler {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final PrepareSettings settings;
  private final PrepareTask prepare;
  private final Clock clock = Clock.systemUTC();

  /**
   * Reads the settings from the environment; Lambda's runtime calls it.
   *
   * @throws io.tsdbsuite.trigger.config.ConfigurationException with all problems of the environment
   */
  public PrepareHandler() {
    settings = PrepareSettings.read(System.getenv());
    AwsClients clients = new AwsClients();
    ObjectStore store = clients.objectStore();
    prepare =
        new PrepareTask(
            settings,
            clients.objectStore(settings.backup().backupRegion()),
            store,
            new S3Reports(store, settings.backup().reportRoot()),
            new RunningExecutions(clients.stepFunctions()),
            clock);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    JsonLog log = new JsonLog(System.out, clock, context.getAwsRequestId());
    Metrics metrics = new Metrics(settings.namespace());
    ObjectNode answer = MAPPER.createObjectNode();
    PrepareInput given = PrepareInput.read(input);
    if (given.load().isPresent()) {
      prepare.load(given.load().get()).ifPresent(job -> write(job, answer.putObject("load")));
      MAPPER.writeValue(output, answer);
      return;
    }
    ArrayNode steps = answer.putArray("steps");
    ArrayNode tiers = answer.putArray("tiers");
    ArrayNode verify = answer.putArray("verify");
    try {
      PrepareTask.Plan plan =
          prepare.plan(given, log, metrics, new Deadline(context::getRemainingTimeInMillis));
      plan.steps().forEach(step -> write(step, steps.addObject()));
      plan.tiers().forEach(job -> write(job, tiers.addObject()));
      plan.verify().forEach(job -> write(job, verify.addObject()));
    } finally {
      metrics.write(System.out, clock, "requestId", context.getAwsRequestId());
    }
    MAPPER.writeValue(output, answer);
  }

  private void write(DayStep step, ObjectNode node) {
    node.put("day", step.day().toString());
    node.put("report", step.report().uri());
    step.run().ifPresent(run -> write(run.job(), node));
    step.coverage().ifPresent(coverage -> write(coverage, node.putObject("coverage")));
    settings.job().hfiles().ifPresent(unused -> node.put("loads", true));
  }

  private void write(JobRun run, ObjectNode node) {
    node.put("name", run.name());
    if (settings.job().compute().kind() == ComputeSettings.Kind.EMR) {
      run.command().forEach(node.putArray("args")::add);
      return;
    }
    ObjectNode job = node.putObject("job");
    job.put("name", run.name());
    job.put("entryPoint", run.jar());
    run.arguments().forEach(job.putArray("arguments")::add);
    job.put("sparkParameters", ShellWords.join(run.sparkOptions()));
  }
}
