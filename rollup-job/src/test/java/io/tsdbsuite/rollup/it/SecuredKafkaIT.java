package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.Certificates;
import io.tsdbsuite.testkit.SecuredKafka;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Brokers that demand security, with exactly the file that cloudformation/prepare-node.sh makes of
 * a secret on the primary node, and no trace of the secret anywhere else.
 */
class SecuredKafkaIT {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final String USER = "rollup";

  /** What is looked for; nothing would write these in another way. */
  private static final String CORE = "Xq7vT2mK9wZ4";

  /** With all that JAAS, properties files and shells read in their own ways. */
  private static final String PASSWORD = CORE + " \"\\\u00f6=;#'$`!\n\r\t";

  private final SecuredKafka kafka = SecuredTopic.kafka();
  private final Certificates certificates = kafka.certificates();
  private final SmallData data = SmallData.get();
  private final SortedMap<RollupKey, RollupValues> expected =
      data.answers(SmallData.FROM, SmallData.TO);

  @Test
  void scramOnExecutors() throws Exception {
    kafka.user(USER, PASSWORD);
    requireOnExecutors(
        "scram",
        SecuredKafka.SCRAM,
        PreparedNode.of(
            "SASL_SCRAM",
            Map.of(
                "username", USER,
                "password", PASSWORD,
                "truststore", certificates.authority())),
        "sasl.jaas.config = [hidden]",
        List.of(CORE));
  }

  /**
   * As on EMR Serverless: the job's files come by {@code --files}, and those of Kafka have
   * references, which the driver resolves.
   */
  @Test
  @Tag("slow")
  void scramBySecretOfAws() throws Exception {
    kafka.user("serverless", PASSWORD);
    SecuredTopic topic = SecuredTopic.create("aws-secret");
    SecretsManager aws = SecretsManager.start(TestFiles.directory("moto").resolve("moto.log"));
    String arn =
        aws.create(
            Map.of(
                "username",
                "serverless",
                "password",
                PASSWORD,
                "truststore",
                certificates.authority()));
    Path files = TestFiles.directory("artifacts");
    Files.copy(data.configFile(), files.resolve("opentsdb.conf"));
    Files.copy(data.rollupConfig(), files.resolve("rollup_config.json"));
    Files.writeString(
        files.resolve("kafka.properties"),
        """
        security.protocol=SASL_SSL
        sasl.mechanism=SCRAM-SHA-512
        sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
          username="${aws-secret:%1$s#username}" password="${aws-secret:%1$s#password}";
        ssl.truststore.type=PEM
        ssl.truststore.certificates=${aws-secret:%1$s#truststore}
        """
            .formatted(arn));
    List<String> args =
        new ArrayList<>(
            topic.options(
                List.of(
                    "--tsd-config=opentsdb.conf",
                    "--rollup-config=rollup_config.json",
                    "--kafka-config=kafka.properties"),
                kafka.bootstrapServers(SecuredKafka.SCRAM)));
    try (SparkSubmit submit = new SparkSubmit(TestFiles.directory("aws-secret"))) {
      Path events = Files.createDirectory(submit.directory().resolve("events"));
      Path report = submit.directory().resolve("report.json");
      args.add("--report=" + report);
      aws.environment().forEach(submit::environment);
      submit
          .conf("spark.eventLog.enabled", "true")
          .conf("spark.eventLog.compress", "false")
          .conf("spark.eventLog.dir", events.toUri().toString())
          .conf("spark.driver.extraClassPath", SecretsManager.classPath())
          .with(
              "--files",
              Stream.of("opentsdb.conf", "rollup_config.json", "kafka.properties")
                  .map(file -> files.resolve(file).toUri().toString())
                  .collect(Collectors.joining(",")))
          .start("local[2]", args);
      assertThat(submit.await()).as(submit::output).isZero();
      assertThat(new ObjectMapper().readTree(report.toFile()).get("booksClose").booleanValue())
          .isTrue();
      topic.plain().requireAll(expected);
      assertThat(filesWith(submit.directory(), List.of("sasl.jaas.config = [hidden]")))
          .isNotEmpty();
      assertThat(filesWith(submit.directory(), List.of(CORE))).isEmpty();
    }
  }

  @Test
  @Tag("slow")
  void clientCertificateOnExecutors() throws Exception {
    String key = certificates.privateKey(SecuredKafka.CLIENT);
    List<String> lines = key.lines().filter(line -> !line.startsWith("-")).toList();
    assertThat(lines).isNotEmpty();
    requireOnExecutors(
        "mutual-tls",
        SecuredKafka.MUTUAL_TLS,
        PreparedNode.of(
            "TLS",
            Map.of(
                "truststore", certificates.authority(),
                "certificateChain", certificates.chain(SecuredKafka.CLIENT),
                "privateKey", key)),
        "ssl.keystore.key = [hidden]",
        lines);
  }

  @Test
  void truststoreOnly() throws Exception {
    SecuredTopic topic = SecuredTopic.create("tls");
    PreparedNode node = PreparedNode.of("TLS", Map.of("truststore", certificates.authority()));
    requireDone(topic, topic.job(node, kafka.bootstrapServers(SecuredKafka.TLS)).run());
  }

  /** As with MSK's brokers, whose certificates the JDK trusts. */
  @Test
  void scramWithTheJdksAuthorities() throws Exception {
    kafka.user("msk", PASSWORD);
    SecuredTopic topic = SecuredTopic.create("scram-jdk");
    PreparedNode node =
        PreparedNode.of("SASL_SCRAM", Map.of("username", "msk", "password", PASSWORD));
    requireDone(
        topic,
        topic
            .job(node, kafka.bootstrapServers(SecuredKafka.SCRAM))
            .spark(Map.of("javax.net.ssl.trustStore", certificates.trustStore().toString()))
            .run());
  }

  private void requireDone(SecuredTopic topic, JobRun run) throws IOException {
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(run.reportJson().get("booksClose").booleanValue()).isTrue();
    topic.plain().requireAll(expected);
  }

  private void requireOnExecutors(
      String name, String listener, PreparedNode node, String hidden, List<String> secrets)
      throws Exception {
    SecuredTopic topic = SecuredTopic.create(name);
    try (SparkSubmit submit = new SparkSubmit(TestFiles.directory(name))) {
      Path events = Files.createDirectory(submit.directory().resolve("events"));
      Path report = submit.directory().resolve("report.json");
      List<String> args = new ArrayList<>(topic.options(node, kafka.bootstrapServers(listener)));
      args.add("--report=" + report);
      submit
          .conf("spark.eventLog.enabled", "true")
          .conf("spark.eventLog.compress", "false")
          .conf("spark.eventLog.dir", events.toUri().toString())
          .start("local-cluster[1,1,640]", args);
      ProcessHandle executor = submit.executor();
      Map<Long, String> processes;
      SparkCluster.signal(executor, "STOP");
      try {
        Await.until("the report of a run that reads", LONG, () -> Files.exists(report));
        // The file is on the primary node only: no task can have read it.
        node.remove();
        processes = submit.commandLines();
      } finally {
        SparkCluster.signal(executor, "CONT");
      }
      assertThat(submit.await()).as(submit::output).isZero();
      executor.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
      assertThat(new ObjectMapper().readTree(report.toFile()).get("booksClose").booleanValue())
          .isTrue();
      topic.plain().requireAll(expected);

      assertThat(processes.get(executor.pid())).contains("CoarseGrainedExecutorBackend");
      assertThat(processes.values())
          .anyMatch(line -> line.contains("--kafka-config="))
          .noneMatch(line -> secrets.stream().anyMatch(line::contains));
      assertThat(filesWith(submit.directory(), List.of(hidden)))
          .as("logs of driver and executor show Kafka's settings")
          .anyMatch(file -> file.endsWith("spark-submit.log"))
          .anyMatch(file -> file.endsWith("stderr"));
      assertThat(filesWith(events, List.of("SparkListenerEnvironmentUpdate"))).isNotEmpty();
      assertThat(filesWith(submit.directory(), secrets)).isEmpty();
    }
  }

  /** Files below a directory that have one of these texts. */
  private static List<Path> filesWith(Path directory, List<String> texts) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (texts.stream().anyMatch(content::contains)) {
          found.add(file);
        }
      }
    }
    return found;
  }
}
