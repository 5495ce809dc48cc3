package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A load in a topic of its own, and the group that stores it. All three have the same name. */
final class Consumption {
  private final String name;
  private final Load load;
  private final KafkaTopics topics;
  private final Set<String> poison = new TreeSet<>();

  /** Makes the topic, and the one for dead letters. */
  Consumption(String name, int partitions, int messages) {
    this.name = name;
    this.load = new Load(name, messages);
    this.topics = IngestStack.get().kafka().topics();
    topics.create(name, partitions);
    topics.create(deadLetters(), 1);
  }

  /** Sends the load. */
  Consumption send() {
    topics.send(load.records(name));
    return this;
  }

  /** Sends the load, and older values before the rollups. */
  Consumption sendWithOlderValues() {
    topics.send(load.recordsAndOlderOnes(name));
    return this;
  }

  /** Sends the load, and evenly among it messages that cannot be stored. */
  Consumption sendWithPoison(int every) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : load.records(name)) {
      records.add(record);
      if (records.size() % every == 0) {
        String text = "poison " + poison.size();
        poison.add(text);
        records.add(new ProducerRecord<>(name, text.getBytes(StandardCharsets.UTF_8)));
      }
    }
    topics.send(records);
    return this;
  }

  /** The messages that cannot be stored. */
  Set<String> poison() {
    return poison;
  }

  String deadLetters() {
    return name + "-dead";
  }

  Load load() {
    return load;
  }

  KafkaTopics topics() {
    return topics;
  }

  /** A TSD with this group alone. */
  TsdServer startTsd(String tsd, double rate) {
    return startTsd(tsd, rate, Map.of());
  }

  /** The same with further settings. */
  TsdServer startTsd(String tsd, double rate, Map<String, String> extra) {
    Map<String, String> conf = new TreeMap<>(extra);
    conf.put("KafkaRpcPlugin.groups", name);
    conf.put("KafkaRpcPlugin." + name + ".topics", name);
    conf.put("KafkaRpcPlugin." + name + ".rate", Double.toString(rate));
    conf.put("KafkaRpcPlugin." + name + ".readyLag", "1000");
    conf.put("KafkaRpcPlugin.deadLetterTopic", deadLetters());
    return IngestStack.tsd(tsd, conf);
  }

  JsonNode status(TsdServer tsd) {
    return IngestStack.status(tsd.client(), name);
  }

  /** Messages that are stored by a TSD since its start. */
  long stored(TsdServer tsd) {
    return status(tsd).at("/messages/stored").asLong();
  }

  void awaitStored(TsdServer tsd, long atLeast) {
    Await.until(
        tsd.name() + " has stored " + atLeast + " messages",
        IngestStack.PATIENCE,
        () -> stored(tsd) >= atLeast);
  }

  void rate(TsdServer tsd, double rate) {
    tsd.client().post("plugin/kafka-ingest/rate?group=" + name + "&rate=" + rate, null);
  }

  /** Messages that the group has committed. */
  long committed() {
    return topics.committedOffsets(name, name).values().stream().mapToLong(Long::longValue).sum();
  }

  /** Waits until everything is stored and committed, and looks whether it is there. */
  void awaitAndCompare() throws IOException {
    Await.until(
        "group " + name + " has committed everything",
        IngestStack.PATIENCE,
        () -> topics.lag(name, name) == 0);
    assertThat(topics.committedOffsets(name, name)).isEqualTo(topics.endOffsets(name));
    assertThat(load.differences()).isEmpty();
  }

  /** Every message that was taken is accounted for. */
  void assertBooksClose(TsdServer tsd) {
    JsonNode counts = status(tsd).get("messages");
    long done = 0;
    for (String state : new String[] {"stored", "deadLettered", "requeued", "replayed"}) {
      done += counts.get(state).asLong();
    }
    assertThat(counts.get("consumed").asLong()).as("%s", counts).isEqualTo(done);
    assertThat(counts.get("inFlight").asLong()).as("%s", counts).isZero();
    assertThat(counts.get("lost").asLong()).as("%s", counts).isZero();
  }
}
