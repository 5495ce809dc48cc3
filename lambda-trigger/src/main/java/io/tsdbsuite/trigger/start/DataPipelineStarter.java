package io.tsdbsuite.trigger.start;

import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import io.tsdbsuite.trigger.step.DayRun;
import io.tsdbsuite.trigger.step.StepPlanner;
import java.io.IOException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.datapipeline.DataPipelineClient;
import software.amazon.awssdk.services.datapipeline.model.Field;
import software.amazon.awssdk.services.datapipeline.model.ParameterValue;
import software.amazon.awssdk.services.datapipeline.model.PipelineDescription;

/**
 * Activates a pipeline of AWS Data Pipeline. Activations have no unique name, so each one is
 * claimed first ({@code <REPORT_ROOT>/_ACTIVATED/<name>.json}). If a function dies with the claim,
 * it is unknown whether it had activated the pipeline. The function that takes over the claim asks
 * for the time of the last activation, and activates the pipeline if that is older. A second
 * activation is harmless, because a day's rollups are the same each time; a missing activation
 * would lose them.
 */
public final class DataPipelineStarter implements Starter {
  static final String CLAIMS = "_ACTIVATED/";
  private static final String LAST_ACTIVATION = "@lastActivationTime";

  private static final int SERVER_ERROR = 500;

  private final DataPipelineClient client;
  private final String pipelineId;
  private final S3Location root;
  private final S3Location reportRoot;
  private final ObjectStore store;
  private final StepPlanner planner;
  private final Supplier<String> owners;
  private final Clock clock;

  /**
   * @param pipelineId the pipeline, which must be of schedule type ondemand
   * @param root root directory of the exports
   * @param reportRoot location of the claims
   * @param owners supplies a new unique owner for each call
   */
  public DataPipelineStarter(
      DataPipelineClient client,
      String pipelineId,
      S3Location root,
      S3Location reportRoot,
      ObjectStore store,
      StepPlanner planner,
      Supplier<String> owners,
      Clock clock) {
    this.client = client;
    this.pipelineId = pipelineId;
    this.root = root;
    this.reportRoot = reportRoot;
    this.store = store;
    this.planner = planner;
    this.owners = owners;
    this.clock = clock;
  }

  @Override
  public Outcome start(String name, WholeNight night, List<LocalDate> days) throws IOException {
    if (days.size() != 1) {
      throw new IllegalArgumentException("a pipeline is activated for one day, found: " + days);
    }
    // Before the claim: a failure here needs no release.
    DayRun run = planner.run(night, days.get(0), List.of());
    Claim claim =
        new Claim(store, reportRoot.resolve(CLAIMS + name + ".json"), owners.get(), clock);
    Claim.State state = claim.acquire();
    if (state == Claim.State.CONFIRMED) {
      return Outcome.ALREADY_STARTED;
    }
    if (state == Claim.State.OTHERS) {
      throw new StartException(
          "pipeline " + pipelineId + " is being activated for " + name + " by another function");
    }
    Outcome outcome = Outcome.STARTED;
    if (state == Claim.State.TAKEN_OVER && wasActivatedSince(claim.takenBefore())) {
      outcome = Outcome.ALREADY_STARTED;
    } else {
      activate(claim, run, night);
    }
    claim.confirm();
    return outcome;
  }

  private void activate(Claim claim, DayRun run, WholeNight night) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("myRoot", root.uri());
    values.put("myDataSnapshot", night.night().dataSnapshot());
    values.put("myUidSnapshot", night.night().uidSnapshot());
    values.put("mySnapshotTime", night.snapshotTime().toString());
    values.put("myDay", run.day().toString());
    values.put("myReport", run.report().uri());
    values.put("myStep", emrStep(run.command()));
    List<ParameterValue> parameters =
        values.entrySet().stream()
            .map(value -> ParameterValue.builder().id(value.getKey()).stringValue(value.getValue()))
            .map(ParameterValue.Builder::build)
            .toList();
    try {
      client.activatePipeline(
          request -> request.pipelineId(pipelineId).parameterValues(parameters));
    } catch (AwsServiceException e) {
      if (e.statusCode() < SERVER_ERROR) {
        claim.release();
      }
      // Otherwise the pipeline may be active: the function that takes over the claim asks for it.
      throw e;
    }
  }

  /**
   * A step in EmrActivity's notation: the jar and its arguments, comma-separated, with two
   * backslashes before each comma of an argument.
   */
  static String emrStep(List<String> args) {
    return args.stream()
        .map(arg -> arg.replace(",", "\\\\,"))
        .collect(Collectors.joining(",", "command-runner.jar,", ""));
  }

  private boolean wasActivatedSince(Instant time) {
    for (PipelineDescription pipeline :
        client
            .describePipelines(request -> request.pipelineIds(pipelineId))
            .pipelineDescriptionList()) {
      for (Field field : pipeline.fields()) {
        if (field.key().equals(LAST_ACTIVATION)) {
          return !instant(field.stringValue()).isBefore(time.truncatedTo(ChronoUnit.SECONDS));
        }
      }
    }
    return false;
  }

  /** Parses Data Pipeline's times, which are UTC in seconds without a zone. */
  private static Instant instant(String text) {
    try {
      return Instant.parse(text.endsWith("Z") ? text : text + "Z");
    } catch (DateTimeException e) {
      return Instant.MIN;
    }
  }
}
