package io.tsdbsuite.trigger.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.trigger.event.TestEvents;
import io.tsdbsuite.trigger.lambda.InvocationResult;
import io.tsdbsuite.trigger.lambda.LambdaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.sfn.model.ExecutionListItem;

/** The packaged functions with their own root and state machine. */
final class PackagedFunction implements AutoCloseable {
  static final String ACCOUNT_SECRET = "writer-secret";
  private static final Pattern STACK_TRACE =
      Pattern.compile(
          "^java\\.lang\\.|^io\\.tsdbsuite\\.|^\\s+at |^\\s+\\.\\.\\. \\d+ more$|^Caused by: |^$");

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PACKAGE = "io.tsdbsuite.trigger.";

  private final ExportedNight night = ExportedNight.get();
  private final String root;
  private final String stateMachine;
  private final List<LambdaProcess> processes = new ArrayList<>();
  private final Map<String, String> environment = new LinkedHashMap<>();

  /**
   * Functions for a root, which also names the state machine.
   *
   * @param root below the bucket
   */
  PackagedFunction(String root) {
    this.root = root;
    this.stateMachine = night.moto().stateMachine(root);
    S3Server s3 = night.s3();
    environment.put("AWS_REGION", "us-east-1");
    environment.put("AWS_ACCESS_KEY_ID", s3.accessKey());
    environment.put("AWS_SECRET_ACCESS_KEY", s3.secretKey());
    environment.put("AWS_ENDPOINT_URL_S3", s3.endpoint().toString());
    environment.put("AWS_ENDPOINT_URL_SFN", night.moto().endpoint().toString());
    environment.put("AWS_ENDPOINT_URL_EMR", night.moto().endpoint().toString());
    environment.put("ROOT", "s3://backup/" + root);
    environment.put("DATA_TABLE", "tsdb");
    environment.put("UID_TABLE", "tsdb-uid");
    environment.put("REPORT_ROOT", "s3://backup/reports-" + root);
    environment.put("STATE_MACHINE_ARN", stateMachine);
    environment.put("JOB_JAR", "s3://artifacts/rollup-job.jar");
    environment.put("JOB_OPTIONS", "[\"--tsd-config\",\"/home/hadoop/opentsdb.conf\"]");
    environment.put("KAFKA_BOOTSTRAP", "b-1:9096,b-2:9096");
    environment.put("TOPIC", "rollups");
    environment.put("METRICS_NAMESPACE", "OpenTSDB/Rollup");
  }

  /** Sets a variable, before the start. */
  PackagedFunction with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Starts an instance of the trigger. */
  PackagedFunction start() throws IOException {
    LambdaProcess process = start("TriggerHandler");
    assertThat(process.initAnswer().error()).as(() -> "" + process.output()).isNull();
    return this;
  }

  /** Starts an instance of a function; its start may fail. */
  LambdaProcess start(String handler) throws IOException {
    LambdaProcess process =
        LambdaProcess.start(
            Path.of(System.getProperty("lambda.jar")),
            Files.readString(Path.of("target", "runtime-classpath.txt")).strip(),
            PACKAGE + handler,
            environment,
            Path.of("target", "testkit", "lambda"));
    processes.add(process);
    return process;
  }

  /** The first instance that was started. */
  LambdaProcess process() {
    return processes.get(0);
  }

  /** Key of an object below the root. */
  String key(String path) {
    return root + "/" + path;
  }

  /** Delivers events of objects below the root as one batch; returns the ids of failed messages. */
  List<String> deliver(String... paths) {
    List<String> events = new ArrayList<>();
    for (String path : paths) {
      events.add(TestEvents.created(key(path)));
    }
    return failures(process().invoke(TestEvents.batch(events)));
  }

  /** Ids of the failed messages in the response. */
  static List<String> failures(InvocationResult answer) {
    assertThat(answer.error()).as(answer.body()).isNull();
    List<String> failures = new ArrayList<>();
    for (JsonNode item : json(answer.body()).get("batchItemFailures")) {
      failures.add(item.get("itemIdentifier").textValue());
    }
    return failures;
  }

  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new IllegalStateException(text, e);
    }
  }

  /** The executions of the state machine. */
  List<ExecutionListItem> executions() {
    return night
        .moto()
        .stepFunctions()
        .listExecutions(request -> request.stateMachineArn(stateMachine))
        .executions();
  }

  /** Starts an execution by hand; its ARN. */
  String startByHand(String name, String input) {
    return night
        .moto()
        .stepFunctions()
        .startExecution(request -> request.stateMachineArn(stateMachine).name(name).input(input))
        .executionArn();
  }

  /** The input of the only execution. */
  JsonNode input() {
    List<ExecutionListItem> executions = executions();
    assertThat(executions).hasSize(1);
    return json(
        night
            .moto()
            .stepFunctions()
            .describeExecution(request -> request.executionArn(executions.get(0).executionArn()))
            .input());
  }

  /**
   * The output of all instances, which must be lines of JSON without a secret. If an invocation
   * ends with an exception, Lambda's runtime adds its stack trace as text.
   */
  String output() {
    StringBuilder all = new StringBuilder();
    for (LambdaProcess process : processes) {
      for (String line : process.output()) {
        if (!line.contains(": io.tsdbsuite.trigger.") && !STACK_TRACE.matcher(line).find()) {
          assertThat(json(line).isObject()).as(line).isTrue();
        }
        all.append(line).append('\n');
      }
    }
    assertThat(all).doesNotContain(ACCOUNT_SECRET);
    return all.toString();
  }

  @Override
  public void close() {
    processes.forEach(LambdaProcess::close);
  }
}
