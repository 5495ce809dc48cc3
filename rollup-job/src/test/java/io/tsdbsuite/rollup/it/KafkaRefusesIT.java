package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.Certificates;
import io.tsdbsuite.testkit.SecuredKafka;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Secrets that brokers do not take, as prepare-node.sh makes files of them: one message that names
 * what was refused, at once, and no secret in it.
 */
class KafkaRefusesIT {
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final String USER = "refused";
  private static final String PASSWORD = "mF5bN8hJ3cR1";

  private static Certificates strangers;

  private final SecuredKafka kafka = SecuredTopic.kafka();
  private final Certificates certificates = kafka.certificates();

  @BeforeAll
  static void makeStrangers() {
    strangers = new Certificates(WorkDirs.fresh("strangers"), "stranger");
    strangers.issue("foreign-client");
  }

  private PreparedNode scram(String user, String password) throws Exception {
    return PreparedNode.of(
        "SASL_SCRAM",
        Map.of("username", user, "password", password, "truststore", certificates.authority()));
  }

  private static void requireRefusal(
      ExitCode exitCode, String topic, PreparedNode node, String bootstrap, String... parts)
      throws Exception {
    SecuredTopic refused = SecuredTopic.create(topic);
    // Only a run without an answer of the broker uses the whole limit; the others end before it.
    String limit = exitCode == ExitCode.OUTSIDE ? "3000" : "600000";
    long start = System.nanoTime();
    JobRun run =
        refused.job(node, bootstrap).with("--kafka-property=default.api.timeout.ms=" + limit).run();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(exitCode);
    assertThat(run.err().lines())
        .as(run::everything)
        .hasSize(1)
        .allMatch(line -> line.startsWith("rollup-job: Kafka at " + bootstrap));
    assertThat(run.err()).contains(parts).contains(topic);
    assertThat(run.everything()).doesNotContain(PASSWORD, "PRIVATE KEY");
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.get("message").textValue()).contains(parts);
    assertThat(refused.plain().records()).isEmpty();
  }

  private static void requireRefusal(
      String topic, PreparedNode node, String bootstrap, String... parts) throws Exception {
    requireRefusal(ExitCode.USAGE, topic, node, bootstrap, parts);
  }

  @Test
  void passwordsAndUsers() throws Exception {
    kafka.user(USER, "another one");
    String scram = kafka.bootstrapServers(SecuredKafka.SCRAM);
    String[] parts = {"invalid credentials", "SCRAM-SHA-512", "do not take the job's sasl.*"};
    requireRefusal("wrong-password", scram(USER, PASSWORD), scram, parts);
    requireRefusal("no-user", scram("nobody", PASSWORD), scram, parts);
  }

  @Test
  void authorities() throws Exception {
    String tls = kafka.bootstrapServers(SecuredKafka.TLS);
    String[] parts = {"unable to find valid certification path", "does not accept", "truststore"};
    requireRefusal(
        "stranger",
        PreparedNode.of("TLS", Map.of("truststore", strangers.authority())),
        tls,
        parts);
    requireRefusal(
        "jdk",
        PreparedNode.of("SASL_SCRAM", Map.of("username", USER, "password", PASSWORD)),
        kafka.bootstrapServers(SecuredKafka.SCRAM),
        parts);
  }

  @Test
  void clientCertificates() throws Exception {
    String tls = kafka.bootstrapServers(SecuredKafka.MUTUAL_TLS);
    String[] parts = {"fatal alert: bad_certificate", "another client certificate"};
    requireRefusal(
        "no-certificate",
        PreparedNode.of("TLS", Map.of("truststore", certificates.authority())),
        tls,
        parts);
    requireRefusal(
        "foreign-certificate",
        PreparedNode.of(
            "TLS",
            Map.of(
                "truststore", certificates.authority(),
                "certificateChain", strangers.chain("foreign-client"),
                "privateKey", strangers.privateKey("foreign-client"))),
        tls,
        parts);
  }

  /** Brokers do not say what they want instead, or nothing at all. */
  @Test
  void protocols() throws Exception {
    requireRefusal(
        "scram-to-tls",
        scram(USER, PASSWORD),
        kafka.bootstrapServers(SecuredKafka.TLS),
        "handshake request with client mechanism SCRAM-SHA-512",
        "do not take the job's sasl.*");
    requireRefusal(
        ExitCode.OUTSIDE,
        "tls-to-plain",
        PreparedNode.of("TLS", Map.of("truststore", certificates.authority())),
        kafka.server().bootstrapServers(),
        "wants another security.protocol");
  }

  /**
   * The library for MSK's IAM as spark-submit gets it: its login comes as far as a broker that does
   * not know the mechanism. {@code make test-all} runs it.
   */
  @Test
  @Tag("slow")
  void mechanisms() throws Exception {
    PreparedNode node = PreparedNode.of("MSK_IAM", Map.of());
    SecuredTopic topic = SecuredTopic.create("iam");
    String scram = kafka.bootstrapServers(SecuredKafka.SCRAM);
    try (SparkSubmit submit = new SparkSubmit(TestFiles.directory("iam"))) {
      int exitCode =
          submit
              .with("--jars", node.mskIam().toString())
              .with(
                  "--driver-java-options",
                  "-Daws.disableEc2Metadata=true -Djavax.net.ssl.trustStore="
                      + certificates.trustStore())
              .start("local[1]", topic.options(node, scram))
              .await();
      assertThat(exitCode).as(submit.output()).isEqualTo(ExitCode.USAGE.code());
      assertThat(submit.output().lines().filter(line -> line.startsWith("rollup-job: ")))
          .singleElement()
          .asString()
          .contains(
              scram,
              "Client SASL mechanism 'AWS_MSK_IAM' not enabled in the server",
              "[SCRAM-SHA-512]");
    }
  }

  /** The password is changed while the job runs: what is finished stays, the rest is resumed. */
  @Test
  void aPasswordThatChanges() throws Exception {
    SmallData data = SmallData.get();
    SortedMap<RollupKey, RollupValues> expected = data.answers(SmallData.FROM, SmallData.TO);
    SecuredTopic topic = SecuredTopic.create("rotated");
    String scram = kafka.bootstrapServers(SecuredKafka.SCRAM);
    kafka.user("rotated", PASSWORD);
    // A task for each of three regions, one after another, for some seconds each.
    String smallTasks = "--partition-size=0.1";
    JobRun job =
        topic
            .job(scram("rotated", PASSWORD), scram)
            .master("local[1]")
            .with("--max-messages-per-second=500", smallTasks);
    CompletableFuture<JobRun> running = CompletableFuture.supplyAsync(job::run);
    Await.until(
        "the first messages", LONG, () -> running.isDone() || !topic.plain().records().isEmpty());
    kafka.user("rotated", "the next one");
    JobRun failed = running.get(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(failed.exitCode()).as(failed::everything).isEqualTo(ExitCode.USAGE);
    assertThat(failed.err()).contains("topic rotated", "invalid credentials");
    assertThat(failed.everything()).doesNotContain(PASSWORD);
    JsonNode report = failed.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.get("partitionsFinished").intValue())
        .isPositive()
        .isLessThan(report.at("/plan/partitions").intValue());

    JobRun resumed =
        topic
            .job(scram("rotated", "the next one"), scram)
            .with("--resume=" + failed.report(), smallTasks)
            .run();
    assertThat(resumed.exitCode()).as(resumed::everything).isEqualTo(ExitCode.DONE);
    assertThat(resumed.reportJson().get("booksClose").booleanValue()).isTrue();
    topic.plain().requireAll(expected);
  }
}
