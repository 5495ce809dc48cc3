package io.tsdbsuite.trigger.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.tsdbsuite.trigger.config.PipelineTarget;
import io.tsdbsuite.trigger.config.TestSettings;
import io.tsdbsuite.trigger.config.TriggerSettings;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.report.TestReport;
import io.tsdbsuite.trigger.s3.FakeS3;
import io.tsdbsuite.trigger.step.StepPlanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.datapipeline.DataPipelineClient;
import software.amazon.awssdk.services.datapipeline.model.ActivatePipelineRequest;
import software.amazon.awssdk.services.datapipeline.model.ActivatePipelineResponse;
import software.amazon.awssdk.services.datapipeline.model.DescribePipelinesRequest;
import software.amazon.awssdk.services.datapipeline.model.DescribePipelinesResponse;
import software.amazon.awssdk.services.datapipeline.model.Field;
import software.amazon.awssdk.services.datapipeline.model.InternalServiceErrorException;
import software.amazon.awssdk.services.datapipeline.model.InvalidRequestException;
import software.amazon.awssdk.services.datapipeline.model.ParameterValue;
import software.amazon.awssdk.services.datapipeline.model.PipelineDescription;

class DataPipelineStarterTest {
  private static final String NAME = "rollup-2026-11-21-0123456789abcdef";
  private static final String CLAIM = "reports/_ACTIVATED/" + NAME + ".json";
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");

  private final FakeS3 s3 = new FakeS3();
  private final FakePipeline pipeline = new FakePipeline();
  private final Map<String, String> environment = TestSettings.dataPipeline();
  private int owners;
  private Instant now = Instant.parse("2026-11-21T01:00:00.500Z");

  private static final class FakePipeline implements DataPipelineClient {
    private final List<List<ParameterValue>> activations = new ArrayList<>();
    private RuntimeException refusal;
    private String lastActivation;
    private Runnable meanwhile = () -> {};

    @Override
    public ActivatePipelineResponse activatePipeline(ActivatePipelineRequest request) {
      assertThat(request.pipelineId()).isEqualTo("df-0123456789ABCDEF");
      if (refusal != null) {
        throw refusal;
      }
      activations.add(request.parameterValues());
      meanwhile.run();
      return ActivatePipelineResponse.builder().build();
    }

    @Override
    public DescribePipelinesResponse describePipelines(DescribePipelinesRequest request) {
      Field field =
          lastActivation == null
              ? Field.builder().key("@pipelineState").stringValue("PENDING").build()
              : Field.builder().key("@lastActivationTime").stringValue(lastActivation).build();
      return DescribePipelinesResponse.builder()
          .pipelineDescriptionList(PipelineDescription.builder().fields(field).build())
          .build();
    }

    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }

  private Starter.Outcome start() {
    TriggerSettings settings = TriggerSettings.read(environment);
    PipelineTarget.DataPipeline target = (PipelineTarget.DataPipeline) settings.target();
    S3Reports reports = new S3Reports(s3.store(), settings.backup().reportRoot());
    try {
      return new DataPipelineStarter(
              pipeline,
              target.pipelineId(),
              settings.backup().root(),
              settings.backup().reportRoot(),
              s3.store(),
              new StepPlanner(settings.backup(), target.job(), s3.store(), reports),
              () -> "owner-" + ++owners,
              Clock.fixed(now, ZoneOffset.UTC))
          .start(NAME, ExecutionNameTest.night("a", "b", "c", "d"), List.of(DAY));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private String claim() {
    return new String(s3.bytes(CLAIM), StandardCharsets.UTF_8);
  }

  /** A client may lose the answer to a rejected write, and would try it again. */
  @Test
  void aClaimThatIsThereIsNotWritten() {
    assertThat(start()).isEqualTo(Starter.Outcome.STARTED);
    assertThat(start()).isEqualTo(Starter.Outcome.ALREADY_STARTED);
    assertThat(s3.rejected()).isZero();
  }

  private void die(Instant when) {
    s3.put(CLAIM, "{\"v\":1,\"state\":\"activating\",\"at\":\"" + when + "\"}");
  }

  @Test
  void onceWithParameters() {
    assertThat(start()).isEqualTo(Starter.Outcome.STARTED);
    assertThat(start()).isEqualTo(Starter.Outcome.ALREADY_STARTED);
    assertThat(pipeline.activations).hasSize(1);
    assertThat(pipeline.activations.get(0))
        .extracting(ParameterValue::id, ParameterValue::stringValue)
        .contains(
            tuple("myRoot", "s3://backup/hbase"),
            tuple("myDataSnapshot", "tsdb-20261121"),
            tuple("myUidSnapshot", "tsdb-uid-20261121"),
            tuple("mySnapshotTime", "2026-11-21T00:30:00Z"),
            tuple("myDay", "2026-11-20"),
            tuple("myReport", "s3://backup/reports/2026-11-20.json"));
    String step = pipeline.activations.get(0).get(6).stringValue();
    assertThat(step)
        .startsWith("command-runner.jar,spark-submit,--deploy-mode,client,")
        .contains(",--kafka-bootstrap,b-2:9096\\\\,b-1:9096,");
    assertThat(claim()).contains("\"state\":\"activated\"");
  }

  private String step() {
    s3.remove(CLAIM);
    pipeline.activations.clear();
    assertThat(start()).isEqualTo(Starter.Outcome.STARTED);
    ParameterValue step = pipeline.activations.get(0).get(6);
    assertThat(step.id()).isEqualTo("myStep");
    return step.stringValue();
  }

  @Test
  void searchesForLateData() {
    assertThat(step()).doesNotContain("--since-report", "--changed-since");
    LocalDate before = DAY.minusDays(1);
    TestReport report =
        TestReport.done()
            .day(before)
            .with("/resume/snapshots", "--data-snapshot", "2026-11-20T00:30:00Z");
    s3.put("reports/" + before + ".json", report.toString());
    assertThat(step())
        .contains(",--since-report,s3a://backup/reports/2026-11-19.json,--tsd-config,")
        .doesNotContain("--changed-since");
    environment.put(
        "JOB_OPTIONS", "[\"--tsd-config\",\"/home/hadoop/x.conf\",\"--interval\",\"1h,10m\"]");
    assertThat(step())
        .contains(",--changed-since,2026-11-20T00:25:00Z,--tsd-config,")
        .endsWith(",--interval,1h\\\\,10m")
        .doesNotContain("--since-report");
    environment.put("LATE_DATA", "off");
    assertThat(step()).doesNotContain("--since-report", "--changed-since");
  }

  @Test
  void aRefusalReleases() {
    pipeline.refusal = InvalidRequestException.builder().statusCode(400).message("no").build();
    assertThatThrownBy(this::start).isSameAs(pipeline.refusal);
    assertThat(s3.has(CLAIM)).isFalse();
    pipeline.refusal = null;
    assertThat(start()).isEqualTo(Starter.Outcome.STARTED);
  }

  @Test
  void noClearAnswerKeepsTheClaim() {
    for (RuntimeException unclear :
        List.of(
            SdkClientException.create("Read timed out"),
            InternalServiceErrorException.builder().statusCode(500).build())) {
      s3.remove(CLAIM);
      pipeline.refusal = unclear;
      assertThatThrownBy(this::start).isSameAs(unclear);
      pipeline.refusal = null;
      assertThatThrownBy(this::start)
          .isInstanceOf(StartException.class)
          .hasMessageContaining("is being activated for " + NAME + " by another function");
    }
    assertThat(pipeline.activations).isEmpty();
  }

  @Test
  void deadBeforeItActivated() {
    die(now.minus(Duration.ofMinutes(17)));
    pipeline.lastActivation = "2026-11-20T01:00:00";
    assertThat(start()).isEqualTo(Starter.Outcome.STARTED);
    assertThat(pipeline.activations).hasSize(1);
    assertThat(claim()).contains("\"state\":\"activated\"");
  }

  @Test
  void deadAfterItActivated() {
    die(now.minus(Duration.ofMinutes(17)));
    // In the same second as the claim.
    pipeline.lastActivation = "2026-11-21T00:43:00";
    assertThat(start()).isEqualTo(Starter.Outcome.ALREADY_STARTED);
    assertThat(pipeline.activations).isEmpty();
    assertThat(claim()).contains("\"state\":\"activated\"");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "yesterday")
  void deadAndTheTimeOfTheLastActivationIsUnknown(String unknown) {
    die(now.minus(Duration.ofMinutes(17)));
    pipeline.lastActivation = unknown;
    assertThat(start()).isEqualTo(Starter.Outcome.STARTED);
    assertThat(pipeline.activations).hasSize(1);
  }

  @Test
  void aWriteThatIsRepeatedMeetsItself() {
    // Each write succeeds but its response is lost, so S3 rejects the SDK's retry.
    s3.repeatWrites(true);
    assertThat(start()).isEqualTo(Starter.Outcome.STARTED);
    assertThat(claim()).contains("\"state\":\"activated\"");
    assertThat(start()).isEqualTo(Starter.Outcome.ALREADY_STARTED);
    assertThat(pipeline.activations).hasSize(1);
  }

  @Test
  void aTakeOverThatIsRepeatedMeetsItself() {
    s3.repeatWrites(true);
    die(now.minus(Duration.ofMinutes(17)));
    assertThat(start()).isEqualTo(Starter.Outcome.STARTED);
    assertThat(claim()).contains("\"state\":\"activated\"").contains("owner-1");
    assertThat(pipeline.activations).hasSize(1);
  }

  @Test
  void aClaimThatWasTakenOverIsNotConfirmed() {
    pipeline.meanwhile =
        () ->
            s3.put(
                CLAIM, "{\"v\":1,\"state\":\"activating\",\"owner\":\"x\",\"at\":\"" + now + "\"}");
    assertThatThrownBy(this::start)
        .isInstanceOf(StartException.class)
        .hasMessageContaining("was changed by another owner");
    assertThat(claim()).contains("\"owner\":\"x\"");
  }

  @Test
  void aClaimIsNotTakenOverBeforeItsLeaseExpires() {
    die(now.minus(Duration.ofMinutes(15)));
    assertThatThrownBy(this::start).isInstanceOf(StartException.class);
    assertThat(pipeline.activations).isEmpty();
  }

  @Test
  void aDamagedClaim() {
    s3.put(CLAIM, "x");
    assertThatThrownBy(this::start).hasMessageContaining("is invalid").hasMessageContaining(CLAIM);
  }
}
