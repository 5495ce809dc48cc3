package io.tsdbsuite.trigger.it;

import static io.tsdbsuite.trigger.it.ExportedNight.DATA;
import static io.tsdbsuite.trigger.it.ExportedNight.OVERWRITTEN;
import static io.tsdbsuite.trigger.it.ExportedNight.PRISTINE;
import static io.tsdbsuite.trigger.it.ExportedNight.SKIP_TMP;
import static io.tsdbsuite.trigger.it.ExportedNight.UID;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.seed.Seed;
import io.tsdbsuite.trigger.event.TestEvents;
import io.tsdbsuite.trigger.lambda.InvocationResult;
import io.tsdbsuite.trigger.lambda.LambdaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packaged trigger under Lambda's own runtime, over real exports, and moto's Step Functions.
 */
class TriggerIT {
  private static final String MANIFEST = ".hbase-snapshot/" + DATA + "/data.manifest";
  private static final String MARKER = "_EXPORTED/2026-11-21.json";

  private final ExportedNight night = ExportedNight.get();
  private final Backup backup = night.backup();

  private PackagedFunction whole(String root) throws IOException {
    backup.copyAll(PRISTINE, root);
    return new PackagedFunction(root).start();
  }

  /** Copies the exported objects one by one in the order of the export, each with its event. */
  @ParameterizedTest
  @ValueSource(strings = {PRISTINE, SKIP_TMP, OVERWRITTEN})
  void asExported(String how) throws IOException {
    List<String> order = night.order(how);
    assertThat(order).contains(MANIFEST).hasSizeGreaterThan(7);
    try (PackagedFunction function = new PackagedFunction("replay-" + how).start()) {
      int started = 0;
      for (String key : order) {
        backup.copy(how, "replay-" + how, key);
        List<String> failures = function.deliver(key);
        int now = function.executions().size();
        if (now > started) {
          assertThat(backup.keys("replay-" + how)).as("started after " + key).containsAll(order);
        } else if (!key.startsWith("archive/")) {
          assertThat(failures).as(key).containsExactly("m0");
        }
        started = now;
      }
      // SQS delivers the failed messages once more.
      assertThat(function.deliver(order.toArray(String[]::new))).isEmpty();
      assertThat(function.executions()).hasSize(1);
      requireInput(function);
      assertThat(function.output()).contains("is not whole").contains("dropped an event");
    }
  }

  private void requireInput(PackagedFunction function) {
    JsonNode input = function.input();
    Instant taken = Instant.parse(input.get("snapshotTime").textValue());
    assertThat(taken).isBetween(night.begun(), Instant.now());
    assertThat(input.get("v").intValue()).isEqualTo(1);
    assertThat(input.get("root").textValue())
        .isEqualTo("s3://backup/" + function.key("").replace("/", ""));
    assertThat(input.get("dataSnapshot").textValue()).isEqualTo(DATA);
    assertThat(input.get("uidSnapshot").textValue()).isEqualTo(UID);
    assertThat(input.get("days"))
        .singleElement()
        .extracting(JsonNode::textValue)
        .isEqualTo(LocalDate.ofInstant(taken, ZoneOffset.UTC).minusDays(1).toString());
    assertThat(function.executions().get(0).name()).matches("rollup-2026-11-21-[0-9a-f]{16}");
  }

  @Test
  void marker() throws IOException {
    try (PackagedFunction function = whole("by-marker")) {
      backup.put(
          function.key(MARKER),
          ("{\"v\":1,\"date\":\"2026-11-21\",\"dataSnapshot\":\"tsdb-20261121\","
                  + "\"uidSnapshot\":\"tsdb-uid-20261121\"}\n")
              .getBytes(StandardCharsets.UTF_8));
      assertThat(function.deliver(MARKER)).isEmpty();
      requireInput(function);
      assertThat(function.deliver(MANIFEST, MARKER)).isEmpty();
      assertThat(function.executions()).hasSize(1);
    }
  }

  @Test
  void anyMissingHFile() throws IOException {
    try (PackagedFunction function = whole("missing")) {
      List<String> hfiles =
          backup.keys("missing").stream().filter(key -> key.startsWith("archive/")).toList();
      // Of the clone itself and of the table that it links to.
      assertThat(hfiles)
          .anyMatch(key -> key.startsWith("archive/data/default/tsdb/"))
          .anyMatch(key -> key.startsWith("archive/data/ns/origin/"))
          .anyMatch(key -> key.startsWith("archive/data/default/tsdb-uid/"));
      for (String hfile : hfiles) {
        byte[] bytes = backup.get(function.key(hfile));
        backup.delete(function.key(hfile));
        assertThat(function.deliver(MANIFEST)).as(hfile).containsExactly("m0");
        assertThat(function.output()).contains(hfile + " is missing");
        backup.put(function.key(hfile), Arrays.copyOf(bytes, bytes.length - 1));
        assertThat(function.deliver(MANIFEST)).as(hfile).containsExactly("m0");
        assertThat(function.output()).contains(hfile + " has " + (bytes.length - 1) + " bytes");
        assertThat(function.executions()).isEmpty();
        backup.put(function.key(hfile), bytes);
      }
      assertThat(function.deliver(MANIFEST)).isEmpty();
      assertThat(function.executions()).hasSize(1);
    }
  }

  @Test
  void truncatedManifest() throws IOException {
    try (PackagedFunction function = whole("truncated")) {
      byte[] bytes = backup.get(function.key(MANIFEST));
      for (int length : new int[] {0, 1, bytes.length / 3, bytes.length / 2, bytes.length - 1}) {
        backup.put(function.key(MANIFEST), Arrays.copyOf(bytes, length));
        assertThat(function.deliver(MANIFEST)).containsExactly("m0");
      }
      assertThat(function.output()).contains("data.manifest is cut off");
      assertThat(function.executions()).isEmpty();
    }
  }

  @Test
  void oneOfTwoTables() throws IOException {
    for (String missing : List.of(DATA, UID)) {
      String root = "without-" + missing;
      for (String key : backup.keys(PRISTINE)) {
        if (!key.contains("/" + missing + "/")) {
          backup.copy(PRISTINE, root, key);
        }
      }
      try (PackagedFunction function = new PackagedFunction(root).start()) {
        String there = missing.equals(DATA) ? UID : DATA;
        assertThat(function.deliver(".hbase-snapshot/" + there + "/data.manifest"))
            .containsExactly("m0");
        assertThat(function.output()).contains("snapshot '" + missing + "' is not whole");
        assertThat(function.executions()).isEmpty();
      }
    }
  }

  /**
   * Every event twice, in random order, to three instances concurrently; and then to 50
   * concurrently.
   */
  @Test
  void duplicatesReorderedAndManyAtOnce() throws IOException {
    try (PackagedFunction function = whole("many")) {
      long seed = Seed.VALUE;
      List<String> keys = new ArrayList<>(night.order(PRISTINE));
      keys.addAll(night.order(PRISTINE));
      Collections.shuffle(keys, new Random(seed));
      while (keys.size() < 80) {
        keys.add(MANIFEST);
      }
      List<LambdaProcess> instances =
          List.of(
              function.process(),
              function.start("TriggerHandler"),
              function.start("TriggerHandler"));
      List<CompletableFuture<InvocationResult>> answers = new ArrayList<>();
      for (int i = 0; i < keys.size(); i += 10) {
        List<String> events =
            keys.subList(i, i + 10).stream()
                .map(key -> TestEvents.created(function.key(key)))
                .toList();
        answers.add(instances.get(i / 10 % 3).invokeLater(TestEvents.batch(events)));
      }
      for (CompletableFuture<InvocationResult> answer : answers) {
        assertThat(PackagedFunction.failures(answer.join())).as("seed %d", seed).isEmpty();
      }
      assertThat(function.executions()).as("seed %d", seed).hasSize(1);
      List<String> fifty = Collections.nCopies(50, TestEvents.created(function.key(MANIFEST)));
      assertThat(PackagedFunction.failures(function.process().invoke(TestEvents.batch(fifty))))
          .isEmpty();
      assertThat(function.executions()).hasSize(1);
    }
  }

  @Test
  void aReExportStartsASecondOne() throws IOException {
    try (PackagedFunction function = whole("again")) {
      assertThat(function.deliver(MANIFEST)).isEmpty();
      // The same bytes have the same ETag; another snapshot with this name has other bytes.
      backup.copy(PRISTINE, "again", MANIFEST);
      assertThat(function.deliver(MANIFEST)).isEmpty();
      assertThat(function.executions()).hasSize(1);
      byte[] info = backup.get(function.key(".hbase-snapshot/" + DATA + "/.snapshotinfo"));
      // An unknown field of protobuf: number 100, of value 1.
      byte[] other = Arrays.copyOf(info, info.length + 3);
      other[info.length] = (byte) 0xa0;
      other[info.length + 1] = 0x06;
      other[info.length + 2] = 1;
      backup.put(function.key(".hbase-snapshot/" + DATA + "/.snapshotinfo"), other);
      assertThat(function.deliver(MANIFEST)).isEmpty();
      assertThat(function.executions()).hasSize(2);
    }
  }

  @Test
  void malformedAndForeignEvents() throws IOException {
    try (PackagedFunction function = new PackagedFunction("foreign").start()) {
      InvocationResult answer =
          function
              .process()
              .invoke(
                  TestEvents.batch(
                      List.of(
                          "no JSON",
                          TestEvents.created("other/x"),
                          TestEvents.recorded("events/object-deleted.json"),
                          TestEvents.created(
                              function.key(".hbase-snapshot/.tmp/" + DATA + "/data.manifest")))));
      assertThat(PackagedFunction.failures(answer)).containsExactly("m0", "m2");
      assertThat(function.output())
          .contains("\"EventsReceived\":4", "\"EventsDropped\":2", "\"EventsMalformed\":2")
          .contains("\"Namespace\":\"OpenTSDB/Rollup\"");
      InvocationResult wrong = function.process().invoke("{}");
      assertThat(wrong.error()).isNotNull();
      assertThat(wrong.body()).contains("the input must be an SQS batch");
    }
  }

  @Test
  void allProblemsOfTheConfigurationAtOnce() throws IOException {
    PackagedFunction function =
        new PackagedFunction("wrong").with("ROOT", "x").with("CATCH_UP_DAYS", "many");
    try (function) {
      LambdaProcess process = function.with("TOPIC", "").start("TriggerHandler");
      assertThat(process.initAnswer().error()).isNotNull();
      assertThat(process.initAnswer().body() + process.output())
          .contains("3 problems: ROOT must be s3://bucket")
          .contains("TOPIC must be set")
          .contains("CATCH_UP_DAYS must be a whole number from 0 to 90, found: 'many'");
    }
  }
}
