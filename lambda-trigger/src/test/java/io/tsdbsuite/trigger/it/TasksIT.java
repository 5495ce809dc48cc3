package io.tsdbsuite.trigger.it;

import static io.tsdbsuite.trigger.it.ExportedNight.DATA;
import static io.tsdbsuite.trigger.it.ExportedNight.PRISTINE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.trigger.lambda.InvocationResult;
import io.tsdbsuite.trigger.lambda.LambdaProcess;
import io.tsdbsuite.trigger.report.TestReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

/** The state machine's tasks, packaged, under Lambda's own runtime. */
class TasksIT {
  private static final String INFO = ".hbase-snapshot/" + DATA + "/.snapshotinfo";

  private final Backup backup = ExportedNight.get().backup();

  @Test
  void prepare() throws IOException {
    backup.copyAll(PRISTINE, "prepare");
    PackagedFunction covering = new PackagedFunction("prepare").with("COVERAGE_PATIENCE", "30m");
    try (PackagedFunction function = covering.start()) {
      assertThat(function.deliver(INFO)).isEmpty();
      JsonNode night = function.input();
      String input = prepareInput(function.executions().get(0).executionArn(), night);
      LocalDate day = LocalDate.parse(night.at("/days/0").textValue());
      LambdaProcess prepare = function.start("PrepareHandler");
      JsonNode steps = PackagedFunction.json(answer(prepare, input)).get("steps");
      assertThat(steps).hasSize(1);
      JsonNode step = steps.get(0);
      assertThat(step.get("name").textValue()).isEqualTo("rollup " + day);
      assertThat(step.get("report").textValue())
          .isEqualTo("s3://backup/reports-prepare/" + day + ".json");
      assertThat(step.get("args").toString())
          .startsWith(
              "[\"spark-submit\",\"--deploy-mode\",\"client\",\"--conf\","
                  + "\"spark.hadoop.fs.s3a.endpoint.region=us-east-1\",\"s3://artifacts/")
          .contains("\"--snapshot-root\",\"s3a://backup/prepare\"")
          .doesNotContain("--resume");
      assertThat(step.at("/coverage/name").textValue()).isEqualTo("coverage " + day);
      assertThat(step.at("/coverage/args").toString())
          .startsWith("[\"spark-submit\",\"--deploy-mode\",\"client\"")
          .contains("\"coverage\",\"add\",\"--evidence\",\"s3a://backup/reports-prepare/" + day);

      String younger = function.startByHand("younger", night.toString());
      InvocationResult waits = prepare.invoke(prepareInput(younger, night));
      assertThat(PackagedFunction.json(waits.body()).get("errorType").textValue())
          .isEqualTo("io.tsdbsuite.trigger.DayIsRunning");
      assertThat(waits.body()).contains("day " + day + " is being run by execution rollup-2026-");

      putReport(TestReport.killed(2), day, night);
      assertThat(answer(prepare, input)).doesNotContain("--resume");
      // The trigger's own version, which is that of the job.
      String version = "rollup-job " + System.getProperty("suite.version");
      putReport(TestReport.killed(2).with("/resume", "version", version), day, night);
      assertThat(answer(prepare, input))
          .contains("\"--resume\",\"s3a://backup/reports-prepare/" + day + ".json\"");
      putReport(TestReport.done(), day, night);
      assertThat(answer(prepare, input)).isEqualTo("{\"steps\":[],\"tiers\":[],\"verify\":[]}");
      putReport(TestReport.done().proof(Instant.EPOCH), day, night);
      JsonNode covers = PackagedFunction.json(answer(prepare, input)).get("steps");
      assertThat(covers).hasSize(1);
      assertThat(covers.get(0).fieldNames())
          .toIterable()
          .containsExactly("day", "report", "coverage");

      backup.delete(function.key(INFO));
      InvocationResult gone = prepare.invoke(input);
      assertThat(PackagedFunction.json(gone.body()).get("errorType").textValue())
          .isEqualTo("io.tsdbsuite.trigger.SnapshotNotWhole");
      assertThat(gone.body()).contains(INFO + " does not exist");
      assertThat(function.output())
          .contains("\"DaysDone\":1", "\"SnapshotsNotWhole\":1", "\"DaysUncovered\":1");
    }
  }

  @Test
  void prepareForEmrServerless() throws IOException {
    backup.copyAll(PRISTINE, "serverless");
    PackagedFunction function =
        new PackagedFunction("serverless")
            .with("COMPUTE_KIND", "SERVERLESS")
            .with("COVERAGE_PATIENCE", "30m")
            .with("TIERS_TABLES", "tsdb-rollup-1h")
            .with("TIERS_POLICY", "tiers.json")
            .with("PROOF_ROOT", "s3://logs/proofs")
            .with("VERIFY_SAMPLE", "1%")
            .with("ROLLUP_TABLES", "tsdb-rollup-1h")
            .with("EXECUTOR_MEMORY", "14g")
            .with(
                "SPARK_OPTIONS",
                "[\"--files\",\"s3://artifacts/opentsdb.conf\",\"--name\",\"every night's\"]")
            .with("JOB_OPTIONS", "[\"--tsd-config\",\"opentsdb.conf\"]");
    try (function) {
      assertThat(function.start().deliver(INFO)).isEmpty();
      JsonNode night = function.input();
      String input = prepareInput(function.executions().get(0).executionArn(), night);
      LocalDate verified = LocalDate.parse(night.at("/days/0").textValue()).minusDays(1);
      Instant taken = Instant.parse(night.get("snapshotTime").textValue());
      TestReport before =
          TestReport.done()
              .day(verified)
              .with("", "ended", taken.minusSeconds(3600).toString())
              .with("/resume/snapshots", "--data-snapshot", taken.minusSeconds(86_400).toString());
      backup.put(
          "reports-serverless/" + verified + ".json",
          before.toString().getBytes(StandardCharsets.UTF_8));
      JsonNode plan = PackagedFunction.json(answer(function.start("PrepareHandler"), input));
      JsonNode steps = plan.get("steps");
      LocalDate day = LocalDate.parse(night.at("/days/0").textValue());
      assertThat(steps).hasSize(1);
      assertThat(steps.get(0).get("day").textValue()).isEqualTo(day.toString());
      assertThat(steps.get(0).get("report").textValue())
          .isEqualTo("s3://backup/reports-serverless/" + day + ".json");
      assertThat(steps.get(0).has("args")).isFalse();
      JsonNode job = steps.get(0).get("job");
      assertThat(job.get("name").textValue()).isEqualTo("rollup " + day);
      assertThat(job.get("entryPoint").textValue()).isEqualTo("s3://artifacts/rollup-job.jar");
      assertThat(job.get("arguments").toString())
          .startsWith("[\"--snapshot-root\",\"s3a://backup/serverless\"")
          .contains("\"--tsd-config\",\"opentsdb.conf\"")
          .contains("\"--coverage-table\",\"tsdb-coverage\"");
      assertThat(job.get("sparkParameters").textValue())
          .isEqualTo(
              "--class io.tsdbsuite.rollup.cli.RollupMain --conf spark.executor.memory=14g"
                  + " --conf spark.executor.extraJavaOptions=-Xms14g"
                  + " --conf spark.hadoop.fs.s3a.endpoint.region=us-east-1"
                  + " --files s3://artifacts/opentsdb.conf --name 'every night'\\''s'");
      JsonNode coverage = steps.get(0).at("/coverage/job");
      assertThat(coverage.get("arguments").toString()).startsWith("[\"coverage\",\"add\"");
      assertThat(coverage.get("entryPoint")).isEqualTo(job.get("entryPoint"));
      assertThat(coverage.get("sparkParameters")).isEqualTo(job.get("sparkParameters"));
      assertThat(plan.get("tiers")).hasSize(2);
      JsonNode prove = plan.at("/tiers/1/job");
      assertThat(prove.get("name").textValue()).isEqualTo("tiers prove " + day);
      assertThat(prove.get("arguments").toString())
          .startsWith("[\"tiers\",\"prove\",\"--policy\",\"tiers.json\"")
          .contains("\"--proofs\",\"s3a://logs/proofs\"");
      assertThat(prove.get("entryPoint")).isEqualTo(job.get("entryPoint"));
      assertThat(plan.get("verify")).hasSize(1);
      assertThat(plan.at("/verify/0/name").textValue()).isEqualTo("verify " + verified);
      assertThat(plan.at("/verify/0/job/arguments").toString())
          .startsWith("[\"verify\",\"--snapshot-root\",\"s3a://backup/serverless\"")
          .contains("\"--data-snapshot\",\"tsdb-20261121\"", "\"--sample\",\"1%\"")
          .endsWith("\"s3a://backup/reports-serverless/verify-" + verified + ".json\"]");
      assertThat(plan.at("/verify/0/job/sparkParameters")).isEqualTo(job.get("sparkParameters"));
    }
  }

  @Test
  void prepareForHFiles() throws IOException {
    backup.copyAll(PRISTINE, "hfiles");
    PackagedFunction function =
        new PackagedFunction("hfiles")
            .with("KAFKA_BOOTSTRAP", "")
            .with("KAFKA_CONFIG", "")
            .with("TOPIC", "")
            .with(
                "JOB_OPTIONS",
                "[\"--tsd-config\",\"/opentsdb.conf\",\"--sink\",\"hfile\",\"--hfile-dir\","
                    + "\"s3a://backup/rollups\"]");
    try (function) {
      assertThat(function.start().deliver(INFO)).isEmpty();
      JsonNode night = function.input();
      String input = prepareInput(function.executions().get(0).executionArn(), night);
      LocalDate day = LocalDate.parse(night.at("/days/0").textValue());
      LambdaProcess prepare = function.start("PrepareHandler");
      JsonNode step = PackagedFunction.json(answer(prepare, input)).at("/steps/0");
      assertThat(step.fieldNames())
          .toIterable()
          .containsExactly("day", "report", "name", "args", "loads");
      assertThat(step.get("loads").booleanValue()).isTrue();
      String report = TestReport.done().day(day).hfiles("s3a://backup/rollups/1-a").toString();
      backup.put("reports-hfiles/" + day + ".json", report.getBytes(StandardCharsets.UTF_8));
      backup.put("rollups/1-a/manifest.json", new byte[] {'{', '}'});
      String load = input.replaceFirst("\\}$", ",\"load\":\"" + day + "\"}");
      JsonNode found = PackagedFunction.json(answer(prepare, load)).get("load");
      assertThat(found.get("name").textValue()).isEqualTo("load " + day);
      assertThat(found.get("args").toString())
          .contains("\"load\",\"--hfile-dir\",\"s3a://backup/rollups/1-a\"")
          .endsWith("\"s3a://backup/reports-hfiles/load-" + day + ".json\"]");
      backup.put("rollups/1-a/_loaded", new byte[] {'{', '}'});
      assertThat(answer(prepare, load)).isEqualTo("{}");
    }
  }

  /** Moto's instances are never lost, but it lists them for any state. */
  @Test
  void lostInstances() throws IOException {
    Moto moto = ExportedNight.get().moto();
    try (PackagedFunction function = new PackagedFunction("lost")) {
      LambdaProcess process = function.start("LostInstancesHandler");
      assertThat(answer(process, "{\"clusterId\":\"" + moto.cluster(0) + "\"}"))
          .isEqualTo("{\"lost\":false}");
      assertThat(answer(process, "{\"clusterId\":\"" + moto.cluster(1) + "\"}"))
          .isEqualTo("{\"lost\":true}");
      assertThat(function.output()).contains("the cluster has lost instances");
      InvocationResult wrong = process.invoke("{}");
      assertThat(wrong.body()).contains("the input must have clusterId (j-...), found: {}");
    }
  }

  @Test
  void nightCheck() throws IOException {
    try (PackagedFunction function = new PackagedFunction("night")) {
      LambdaProcess process = function.start("NightCheckHandler");
      assertThat(answer(process, "{\"detail-type\":\"Scheduled Event\"}"))
          .isEqualTo("{\"daysMissing\":31}");
      assertThat(function.output())
          .contains("no night has finished", "\"DaysMissing\":31", "s3://backup/night/_EXPORTED/");
    }
  }

  /** The input in the state machine's form. */
  private static String prepareInput(String execution, JsonNode input) {
    return "{\"execution\":\"" + execution + "\",\"input\":" + input + "}";
  }

  /** A report in the job's form, about this night. */
  private void putReport(TestReport report, LocalDate day, JsonNode input) {
    TestReport own =
        report
            .day(day)
            .with("/resume/snapshots", "--data-snapshot", input.get("snapshotTime").textValue())
            .with("/resume/options", "--snapshot-root", "s3a://backup/prepare");
    // The input does not have the UID snapshot's time; a run without it read live names.
    byte[] bytes =
        own.without("/resume/snapshots", "--uid-snapshot")
            .toString()
            .getBytes(StandardCharsets.UTF_8);
    backup.put("reports-prepare/" + day + ".json", bytes);
  }

  private static String answer(LambdaProcess process, String input) {
    InvocationResult answer = process.invoke(input);
    assertThat(answer.error()).as(answer.body()).isNull();
    return answer.body();
  }

  @Test
  void report() throws IOException {
    try (PackagedFunction function = new PackagedFunction("report")) {
      LambdaProcess process = function.start("ReportHandler");
      String input =
          "{\"day\":\"2026-11-20\",\"report\":\"s3://backup/reports-report/2026-11-20.json\","
              + "\"notBefore\":\"2026-11-21T01:00:00Z\"}";
      InvocationResult none = process.invoke(input);
      assertThat(PackagedFunction.json(none.body()).get("errorType").textValue())
          .isEqualTo("io.tsdbsuite.trigger.ReportNotDone");
      backup.put(
          "reports-report/2026-11-20.json",
          TestReport.done().toString().getBytes(StandardCharsets.UTF_8));
      assertThat(answer(process, input)).contains("\"pointsRead\":9480");
      assertThat(function.output()).contains("\"DaysSucceeded\":1", "\"JobTime\":3142.117");
    }
  }
}
