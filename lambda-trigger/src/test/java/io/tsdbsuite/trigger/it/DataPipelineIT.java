package io.tsdbsuite.trigger.it;

import static io.tsdbsuite.trigger.it.ExportedNight.DATA;
import static io.tsdbsuite.trigger.it.ExportedNight.PRISTINE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.trigger.event.TestEvents;
import io.tsdbsuite.trigger.it.RecordingProxy.Recorded;
import io.tsdbsuite.trigger.lambda.InvocationResult;
import io.tsdbsuite.trigger.lambda.LambdaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.datapipeline.DataPipelineClient;

/** The other target: one activation of a pipeline of moto's Data Pipeline, with its parameters. */
class DataPipelineIT {
  private static final String MANIFEST = ".hbase-snapshot/" + DATA + "/data.manifest";
  private static final String ACTIVATE = "DataPipeline.ActivatePipeline";

  private final ExportedNight night = ExportedNight.get();
  private final DataPipelineClient moto = night.moto().dataPipeline();

  private PackagedFunction function(String root, String pipeline, RecordingProxy proxy) {
    night.backup().copyAll(PRISTINE, root);
    return new PackagedFunction(root)
        .with("TARGET", "data-pipeline")
        .with("PIPELINE_ID", pipeline)
        .with("AWS_ENDPOINT_URL_DATA_PIPELINE", proxy.endpoint());
  }

  private String pipeline(String name) {
    return moto.createPipeline(request -> request.name(name).uniqueId(name)).pipelineId();
  }

  private static List<Recorded> activations(RecordingProxy proxy) {
    return proxy.requests().stream().filter(request -> request.target().equals(ACTIVATE)).toList();
  }

  @Test
  void onceWithTheRightParameters() throws IOException {
    String id = pipeline("once");
    try (RecordingProxy proxy = new RecordingProxy(night.moto().endpoint());
        PackagedFunction function = function("pipeline", id, proxy).start()) {
      List<LambdaProcess> instances = List.of(function.process(), function.start("TriggerHandler"));
      List<CompletableFuture<InvocationResult>> answers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        String batch = TestEvents.batch(List.of(TestEvents.created(function.key(MANIFEST))));
        answers.add(instances.get(i % 2).invokeLater(batch));
      }
      // Messages that arrived during the activation are delivered again, and then succeed.
      answers.forEach(answer -> PackagedFunction.failures(answer.join()));
      assertThat(function.deliver(MANIFEST)).isEmpty();
      assertThat(activations(proxy)).hasSize(1);
      JsonNode activation = PackagedFunction.json(activations(proxy).get(0).body());
      assertThat(activation.get("pipelineId").textValue()).isEqualTo(id);
      Map<String, String> values = new LinkedHashMap<>();
      for (JsonNode value : activation.get("parameterValues")) {
        values.put(value.get("id").textValue(), value.get("stringValue").textValue());
      }
      LocalDate day =
          LocalDate.ofInstant(Instant.parse(values.get("mySnapshotTime")), ZoneOffset.UTC)
              .minusDays(1);
      assertThat(values)
          .containsEntry("myRoot", "s3://backup/pipeline")
          .containsEntry("myDataSnapshot", DATA)
          .containsEntry("myDay", day.toString())
          .containsEntry("myReport", "s3://backup/reports-pipeline/" + day + ".json");
      assertThat(values.get("myStep"))
          .startsWith("command-runner.jar,spark-submit,")
          .contains(",--day," + day + ",")
          .contains(",b-1:9096\\\\,b-2:9096,");
      assertThat(state(id)).isEqualTo("SCHEDULED");
      assertThat(function.output()).contains("\"PipelinesStarted\":1");
    }
  }

  private String state(String id) {
    return moto
        .describePipelines(request -> request.pipelineIds(id))
        .pipelineDescriptionList()
        .get(0)
        .fields()
        .stream()
        .filter(field -> field.key().equals("@pipelineState"))
        .findFirst()
        .orElseThrow()
        .stringValue();
  }

  @Test
  void refusedThenStartedAndAfterADeath() throws IOException {
    String id = pipeline("refused");
    try (RecordingProxy proxy = new RecordingProxy(night.moto().endpoint());
        PackagedFunction function = function("refused", id, proxy).start()) {
      proxy.refuseWith(400);
      assertThat(function.deliver(MANIFEST)).containsExactly("m0");
      assertThat(night.backup().keys("reports-refused")).as(function::output).isEmpty();
      proxy.refuseWith(500);
      assertThat(function.deliver(MANIFEST)).containsExactly("m0");
      proxy.refuseWith(0);
      // The outcome of the activation is unknown, so the claim is not taken over before its lease
      // expires.
      assertThat(function.deliver(MANIFEST)).containsExactly("m0");
      assertThat(activations(proxy)).hasSize(2);
      String claim = "reports-refused/" + night.backup().keys("reports-refused").get(0);
      String old =
          new String(night.backup().get(claim), StandardCharsets.UTF_8)
              .replaceAll("\"at\":\"[^\"]*\"", "\"at\":\"2026-11-21T00:00:00Z\"");
      night.backup().put(claim, old.getBytes(StandardCharsets.UTF_8));
      assertThat(function.deliver(MANIFEST)).as(function::output).isEmpty();
      assertThat(activations(proxy)).hasSize(3);
      assertThat(state(id)).isEqualTo("SCHEDULED");
      assertThat(new String(night.backup().get(claim), StandardCharsets.UTF_8))
          .contains("\"state\":\"activated\"");
      assertThat(function.deliver(MANIFEST)).isEmpty();
      assertThat(activations(proxy)).hasSize(3);
    }
  }
}
