package io.tsdbsuite.ingest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.ingest.mask.RawTtl;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.metrics.plugin.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class IngestConfigTest {
  private static Map<String, String> minimal() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.network.port", "4242");
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", "a:9092");
    conf.put("KafkaRpcPlugin.groups", "rollups");
    conf.put("KafkaRpcPlugin.rollups.topics", "t1, t2");
    conf.put("KafkaRpcPlugin.deadLetterTopic", "dead");
    return conf;
  }

  private static List<String> problems(Map<String, String> conf) {
    return catchThrowableOfType(ConfigException.class, () -> IngestConfig.read(conf)).problems();
  }

  @Test
  void hasDefaults() {
    GroupConfig group = IngestConfig.read(minimal()).groups.get(0);
    assertThat(group.name).isEqualTo("rollups");
    assertThat(group.type).isEqualTo(ConsumerType.RAW);
    assertThat(group.topics).containsExactly("t1", "t2");
    assertThat(group.threads).isEqualTo(2);
    assertThat(group.rate).isEqualTo(70000);
    assertThat(group.maxInFlight).isEqualTo(100000);
    assertThat(group.readyLag).isEqualTo(10000);
    assertThat(group.stallMillis).isEqualTo(300_000);
    assertThat(group.deadLetterTopic).isEqualTo("dead");
    assertThat(group.requeueTopic).isNull();
    assertThat(group.requeueDelayMillis).isEqualTo(300000);
    assertThat(IngestConfig.read(minimal()).repairDelayMillis()).isEqualTo(300000);
  }

  /** A request that is not sent again is carried out after the delay of its group. */
  @Test
  void theLeastDelayOfRepairsCounts() {
    Map<String, String> conf = minimal();
    conf.put("KafkaRpcPlugin.groups", "rollups,one,two");
    conf.put("KafkaRpcPlugin.rollups.requeueDelay", "1");
    conf.put("KafkaRpcPlugin.repairTtl", "forever");
    for (String group : List.of("one", "two")) {
      conf.put("KafkaRpcPlugin." + group + ".topics", group);
      conf.put("KafkaRpcPlugin." + group + ".consumerType", "REPAIR");
    }
    conf.put("KafkaRpcPlugin.one.requeueDelay", "1000");
    conf.put("KafkaRpcPlugin.two.requeueDelay", "2000");
    assertThat(IngestConfig.read(conf).repairDelayMillis()).isEqualTo(1000);
  }

  @Test
  void takesEveryKey() {
    Map<String, String> conf = minimal();
    conf.put("KafkaRpcPlugin.groups", "rollups,again");
    conf.put("KafkaRpcPlugin.rollups.consumerType", "rollup");
    conf.put("KafkaRpcPlugin.rollups.threads", "5");
    conf.put("KafkaRpcPlugin.rollups.rate", "0");
    conf.put(
        "KafkaRpcPlugin.rollups.deserializer", "net.opentsdb.data.deserializers.JSONDeserializer");
    conf.put("KafkaRpcPlugin.rollups.maxInFlight", "7");
    conf.put("KafkaRpcPlugin.rollups.readyLag", "8");
    conf.put("KafkaRpcPlugin.stallTimeout", "4000");
    conf.put("KafkaRpcPlugin.rollups.stallTimeout", "5000");
    conf.put("KafkaRpcPlugin.rollups.requeueTopic", "again");
    conf.put("KafkaRpcPlugin.again.topics", "again");
    conf.put("KafkaRpcPlugin.again.consumerType", "REQUEUE_ROLLUP");
    conf.put("KafkaRpcPlugin.again.requeueDelay", "9");
    conf.put("KafkaRpcPlugin.again.maxRequeues", "3");
    conf.put("KafkaRpcPlugin.again.deadLetterTopic", "deader");
    conf.put("KafkaRpcPlugin.kafka.again.fetch.min.bytes", "12");
    conf.put("KafkaRpcPlugin.kafka.linger.ms", "3");
    conf.put("KafkaRpcPlugin.drainTimeout", "11");
    conf.put("KafkaRpcPlugin.changeRates", "false");
    conf.put("KafkaRpcPlugin.seh.topic.default", "seh");
    conf.put("KafkaRpcPlugin.publisher.topic", "published");
    conf.put("KafkaRpcPlugin.publisher.maxQueued", "6");
    IngestConfig config = IngestConfig.read(conf);
    GroupConfig rollups = config.groups.get(0);
    assertThat(rollups.type).isEqualTo(ConsumerType.ROLLUP);
    assertThat(rollups.threads).isEqualTo(5);
    assertThat(rollups.rate).isZero();
    assertThat(rollups.maxInFlight).isEqualTo(7);
    assertThat(rollups.readyLag).isEqualTo(8);
    assertThat(rollups.stallMillis).isEqualTo(5000);
    assertThat(rollups.requeueTopic).isEqualTo("again");
    assertThat(rollups.kafka).doesNotContainKey("fetch.min.bytes");
    GroupConfig again = config.groups.get(1);
    assertThat(again.type.delayed()).isTrue();
    assertThat(again.requeueTopic).isEqualTo("again");
    assertThat(again.requeueDelayMillis).isEqualTo(9);
    assertThat(again.maxRequeues).isEqualTo(3);
    assertThat(again.stallMillis).isEqualTo(4000);
    assertThat(again.deadLetterTopic).isEqualTo("deader");
    assertThat(again.kafka)
        .containsEntry("fetch.min.bytes", "12")
        .containsEntry("bootstrap.servers", "a:9092");
    assertThat(config.drainMillis).isEqualTo(11);
    assertThat(config.ratesChange).isFalse();
    assertThat(config.requeueTopics).containsEntry("default", "seh");
    assertThat(config.publisherTopic).isEqualTo("published");
    assertThat(config.publisherMaxQueued).isEqualTo(6);
  }

  @Test
  void tellsAllProblemsAtOnce() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.groups", "a,b c,a,kafka,publisher");
    conf.put("KafkaRpcPlugin.a.consumerType", "UID_ABUSE");
    conf.put("KafkaRpcPlugin.a.rate", "fast");
    conf.put("KafkaRpcPlugin.a.threads", "0");
    conf.put("KafkaRpcPlugin.a.thraeds", "2");
    conf.put("KafkaRpcPlugin.a.deserializer", "com.example.Avro");
    conf.put("KafkaRpcPlugin.kafka.zookeeper.connect", "zk:2181");
    conf.put("KafkaRpcPlugin.kafka.enable.auto.commit", "true");
    conf.put("KafkaRpcPlugin.kafka.fetch.min.bites", "1");
    conf.put("KafkaRpcPlugin.kafka.fetch.min.bytes", "many");
    conf.put("KafkaRpcPlugin.kafka.a.auto.offset.reset", "smallest");
    conf.put("KafkaRpcPlugin.requeueDelay", "-1");
    conf.put("KafkaRpcPlugin.changeRates", "no");
    conf.put("KafkaRpcPlugin.killOnShutdownError", "true");
    conf.put("KafkaRpcPlugin.other.topics", "x");
    assertThat(problems(conf))
        .anyMatch(p -> p.contains("groups must be names") && p.endsWith("found b c"))
        .anyMatch(p -> p.contains("groups must be names") && p.endsWith("found kafka"))
        .anyMatch(p -> p.contains("groups must be names") && p.endsWith("found publisher"))
        .anyMatch(p -> p.contains("groups must name each group once"))
        .anyMatch(p -> p.contains("a.topics must name at least one topic"))
        .anyMatch(p -> p.contains("a.consumerType must be") && p.endsWith("found UID_ABUSE"))
        .anyMatch(p -> p.contains("a.rate must be points per second") && p.endsWith("found fast"))
        .anyMatch(p -> p.contains("a.threads must be an integer from 1 to 1024, found 0"))
        .anyMatch(p -> p.equals("KafkaRpcPlugin.a.thraeds is not a key of kafka-ingest"))
        .anyMatch(p -> p.contains("a.deserializer may be left out"))
        .anyMatch(p -> p.contains("kafka.zookeeper.connect must not be set: the ZooKeeper"))
        .anyMatch(p -> p.contains("kafka.enable.auto.commit must not be set"))
        .anyMatch(p -> p.contains("kafka.fetch.min.bites is not a setting of Kafka"))
        .anyMatch(p -> p.contains("kafka.fetch.min.bytes is rejected by Kafka"))
        .anyMatch(p -> p.contains("kafka.a.auto.offset.reset"))
        .anyMatch(p -> p.contains("kafka.bootstrap.servers must name brokers"))
        .anyMatch(p -> p.contains("deadLetterTopic must be set"))
        .anyMatch(p -> p.contains("requeueDelay must be an integer"))
        .anyMatch(p -> p.endsWith("changeRates must be true or false, found no"))
        .anyMatch(
            p -> p.contains("killOnShutdownError is obsolete: the plugin never stops the TSD"))
        .anyMatch(p -> p.equals("KafkaRpcPlugin.other.topics is not a key of kafka-ingest"));
  }

  @Test
  void messagesAreBoundedByTheSameKeysInAllGroups() {
    Map<String, String> conf = minimal();
    conf.put("KafkaRpcPlugin.maxMessageBytes", "2000");
    conf.put("KafkaRpcPlugin.maxMessageElements", "20");
    conf.put("KafkaRpcPlugin.maxMessageDepth", "10");
    conf.put("KafkaRpcPlugin.maxMessageDeadLetters", "3");
    MessageLimits limits = IngestConfig.read(conf).messageLimits;
    assertThat(limits.maxBytes()).isEqualTo(2000);
    assertThat(limits.maxElements()).isEqualTo(20);
    assertThat(limits.maxDepth()).isEqualTo(10);
    assertThat(limits.maxProblems()).isEqualTo(3);
    conf.put("KafkaRpcPlugin.maxMessageBytes", "1023");
    conf.put("KafkaRpcPlugin.maxMessageElements", "1000001");
    conf.put("KafkaRpcPlugin.maxMessageDepth", "901");
    conf.put("KafkaRpcPlugin.maxMessageDeadLetters", "0");
    assertThat(problems(conf))
        .containsExactlyInAnyOrder(
            "KafkaRpcPlugin.maxMessageBytes must be an integer from 1024 to 268435456, found 1023",
            "KafkaRpcPlugin.maxMessageElements must be an integer from 1 to 1000000, found"
                + " 1000001",
            "KafkaRpcPlugin.maxMessageDepth must be an integer from 8 to 900, found 901",
            "KafkaRpcPlugin.maxMessageDeadLetters must be an integer from 1 to 1000000, found 0");
  }

  /** Kafka's Admin refuses what its consumer and producer take. */
  @Test
  void timeOutsOfTheConsumerStopNoAdmin() {
    Map<String, String> conf = minimal();
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", "127.0.0.1:1");
    conf.put("KafkaRpcPlugin.kafka.request.timeout.ms", "60000");
    conf.put("KafkaRpcPlugin.kafka.default.api.timeout.ms", "20000");
    GroupConfig group = IngestConfig.read(conf).groups.get(0);
    Admin.create(KafkaSettings.admin(group, "timeouts-test")).close();
  }

  @Test
  void aGroupThatRepairsHasDefaultsOfItsOwn() {
    Map<String, String> conf = minimal();
    conf.put("KafkaRpcPlugin.rollups.consumerType", "REPAIR");
    conf.put("KafkaRpcPlugin.repairTtl", "864000");
    IngestConfig config = IngestConfig.read(conf);
    assertThat(config.rawTtlSeconds).isEqualTo(864_000);
    GroupConfig group = config.groups.get(0);
    assertThat(group.type.delayed()).isTrue();
    assertThat(group.type.isRollup()).isTrue();
    assertThat(group.rate).isEqualTo(500);
    assertThat(group.maxInFlight).isEqualTo(1000);
    assertThat(group.requeueTopic).isEqualTo("t1");
    conf.put("KafkaRpcPlugin.rollups.rate", "7");
    conf.put("KafkaRpcPlugin.rollups.maxInFlight", "8");
    assertThat(IngestConfig.read(conf).groups.get(0).rate).isEqualTo(7);
    assertThat(IngestConfig.read(conf).groups.get(0).maxInFlight).isEqualTo(8);
  }

  @Test
  void theTtlOfTheRawPointsMustBeKnownForRepairs() {
    Map<String, String> conf = minimal();
    assertThat(IngestConfig.read(conf).rawTtlSeconds).isEqualTo(RawTtl.FOREVER);
    conf.put("KafkaRpcPlugin.rollups.consumerType", "REPAIR");
    assertThat(problems(conf))
        .singleElement()
        .asString()
        .startsWith("KafkaRpcPlugin.repairTtl must be the TTL of column family t");
    for (String bad : List.of("0", "-1", "1d", "2147483648", "never")) {
      conf.put("KafkaRpcPlugin.repairTtl", bad);
      assertThat(problems(conf))
          .singleElement()
          .asString()
          .contains("repairTtl must be seconds")
          .endsWith("found " + bad);
    }
    // HBase's own number for it.
    for (String forever : List.of("forever", "FOREVER", "2147483647")) {
      conf.put("KafkaRpcPlugin.repairTtl", forever);
      assertThat(IngestConfig.read(conf).rawTtlSeconds).isEqualTo(RawTtl.FOREVER);
    }
  }

  @Test
  void eachPluginClassNamesTheKeyThatItNeedsBesideAllOtherProblems() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.groups", " , ");
    conf.put("KafkaRpcPlugin.seh.maxQueued", "0");
    conf.put("KafkaRpcPlugin.publisher.topic", "");
    conf.put("KafkaRpcPlugin.publisher.maxQueued", "many");
    conf.put("KafkaRpcPlugin.publisher.topics", "t");
    List<String> common =
        List.of(
            "KafkaRpcPlugin.kafka.bootstrap.servers must name brokers, as host:port",
            "KafkaRpcPlugin.seh.maxQueued must be an integer from 1 to 2147483647, found 0",
            "KafkaRpcPlugin.publisher.maxQueued must be an integer from 1 to 2147483647, found"
                + " many",
            "KafkaRpcPlugin.publisher.topics is not a key of kafka-ingest");
    Map<IngestConfig.Reader, String> required =
        Map.of(
            IngestConfig.Reader.GROUPS, "KafkaRpcPlugin.groups must name at least one group",
            IngestConfig.Reader.STORAGE_EXCEPTION_HANDLER,
                "KafkaRpcPlugin.seh.topic.default must name a topic",
            IngestConfig.Reader.PUBLISHER, "KafkaRpcPlugin.publisher.topic must name a topic");
    for (IngestConfig.Reader reader : IngestConfig.Reader.values()) {
      List<String> expected = new ArrayList<>(common);
      expected.add(required.get(reader));
      assertThat(
              catchThrowableOfType(ConfigException.class, () -> IngestConfig.read(conf, reader))
                  .problems())
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void thePublisherCompressesWithLittleCpuUnlessToldOtherwise() {
    Map<String, String> conf = minimal();
    conf.put("KafkaRpcPlugin.kafka.linger.ms", "7");
    assertThat(KafkaSettings.publisher(IngestConfig.read(conf).kafka, "p"))
        .containsEntry("compression.type", "lz4")
        .containsEntry("acks", "all")
        .containsEntry("linger.ms", "7");
    assertThat(KafkaSettings.publisher(Map.of(), "p")).containsEntry("linger.ms", "100");
    conf.put("KafkaRpcPlugin.kafka.compression.type", "zstd");
    assertThat(KafkaSettings.publisher(IngestConfig.read(conf).kafka, "p"))
        .containsEntry("compression.type", "zstd");
  }

  @Test
  void refusesTopicsThatFeedThemselves() {
    Map<String, String> conf = minimal();
    conf.put("KafkaRpcPlugin.deadLetterTopic", "t1");
    conf.put("KafkaRpcPlugin.rollups.requeueTopic", "t2");
    assertThat(problems(conf))
        .hasSize(2)
        .anyMatch(p -> p.contains("deadLetterTopic must not be a topic that the group reads"))
        .anyMatch(p -> p.contains("requeueTopic must not be a topic that the group itself reads"));
  }

  @Test
  void neverCommitsByItselfAndNeverResetsSilently() {
    Map<String, String> conf = minimal();
    conf.put("KafkaRpcPlugin.kafka.auto.offset.reset", "latest");
    conf.put("KafkaRpcPlugin.kafka.client.id", "me");
    conf.put("KafkaRpcPlugin.kafka.group.instance.id", "here");
    Map<String, Object> settings =
        KafkaSettings.consumer(IngestConfig.read(conf).groups.get(0), "c-0");
    assertThat(settings)
        .containsEntry("enable.auto.commit", "false")
        .containsEntry("auto.offset.reset", "none")
        .containsEntry("group.id", "rollups")
        .containsEntry("client.id", "me-c-0")
        .containsEntry("group.instance.id", "here-c-0");
  }

  @Test
  void namesOfKafkaClassesFollowTheJar() {
    String jaas = "org.apache.kafka.common.security.scram.ScramLoginModule required;";
    assertThat(KafkaSettings.relocate(jaas))
        .endsWith("common.security.scram.ScramLoginModule required;");
  }

  @Test
  void mskIamWithoutItsJarIsOneProblemThatNamesTheJar() {
    Map<String, String> conf = minimal();
    String kafka = "KafkaRpcPlugin.kafka.";
    conf.put(kafka + "security.protocol", "SASL_SSL");
    conf.put(kafka + "sasl.mechanism", "AWS_MSK_IAM");
    conf.put(kafka + "sasl.jaas.config", "software.amazon.msk.auth.iam.IAMLoginModule required;");
    conf.put(
        kafka + "sasl.client.callback.handler.class",
        "software.amazon.msk.auth.iam.IAMClientCallbackHandler");
    assertThat(problems(conf))
        .singleElement()
        .asString()
        .contains(kafka + "sasl.", "kafka-ingest-msk-VERSION-tsd.jar", "IAMClientCallbackHandler");
  }
}
