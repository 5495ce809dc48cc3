package io.tsdbsuite.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.consume.TestGroups;
import io.tsdbsuite.ingest.store.OtherWidths;
import io.tsdbsuite.ingest.store.PackedStats;
import io.tsdbsuite.message.read.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.opentsdb.core.TSDB;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reasons, statistics and headers in the documents are those of the code. */
class DocumentedOperationsTest {
  private static final Document PAGE = Document.read("kafka-ingest.md");
  private static final Document RUNBOOK = Document.read("operations/README.md");

  /** Commands of other programs, options of other modules, and the HTTP endpoints. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "kafka-console-consumer .*|kafka-transactions.sh"
              + " (find-hanging|abort)|hbck|--max-messages-per-second|(GET|POST)"
              + " /plugin/kafka-ingest/(ready|lag|rate|status|metrics|version)|notReady|waitsFor");

  @Test
  void everyReasonIsDocumented() {
    assertThat(PAGE.section("Dead letters").firstColumn("Reason"))
        .containsExactlyInAnyOrderElementsOf(reasons());
  }

  @Test
  void everyHeaderIsDocumented() {
    Set<String> documented = new TreeSet<>();
    for (String name : PAGE.section("Dead letters").firstColumn("Header")) {
      documented.add(name.startsWith(".") ? "kafka-ingest" + name : name);
    }
    assertThat(documented).isEqualTo(TestGroups.headers());
  }

  @Test
  void everyStatisticIsDocumented() throws Exception {
    assertThat(PAGE.section("Statistics").firstColumn("`tsd.kafka-ingest.`"))
        .containsExactlyInAnyOrderElementsOf(statistics());
    assertThat(IngestMetrics.CATALOG.names()).containsExactlyInAnyOrderElementsOf(statistics());
  }

  static Stream<String> runbookEntries() {
    return Stream.of("ingest-", "seh-", "publisher-")
        .flatMap(prefix -> RUNBOOK.headings(prefix).stream());
  }

  @ParameterizedTest
  @MethodSource("runbookEntries")
  void theRunbookNamesWhatTheCodeHas(String entry) throws Exception {
    Set<String> known = new TreeSet<>(reasons());
    known.addAll(TestGroups.headers());
    known.addAll(statistics());
    known.addAll(PAGE.section("All groups").firstColumn("Key"));
    known.addAll(PAGE.section("One group").firstColumn("Key"));
    known.addAll(PAGE.section("Publishing points").firstColumn("Key"));
    Set<String> unknown = new TreeSet<>(RUNBOOK.section(entry).codeSpans());
    unknown.removeIf(name -> known.contains(name) || OTHERS.matcher(name).matches());
    assertThat(unknown).isEmpty();
  }

  private static List<String> reasons() {
    List<String> codes = new ArrayList<>();
    for (Reason reason : Reason.values()) {
      codes.add(reason.code());
    }
    return codes;
  }

  /** Names of all statistics, without the prefix. */
  private static Set<String> statistics() throws Exception {
    Set<String> names = new TreeSet<>();
    StatsCollector collector =
        new StatsCollector("tsd") {
          @Override
          public void emit(String datapoint) {
            names.add(datapoint.replaceFirst("^tsd\\.kafka-ingest\\.([^ ]+) .*", "$1").trim());
          }
        };
    for (ConsumerType type : ConsumerType.values()) {
      IngestStats.collect(List.of(TestGroups.withPartition(type)), collector);
    }
    IngestStats.collect(OtherWidths.none(), collector);
    IngestStats.collect(new PackedStats(), collector);
    Config config = new Config(false);
    config.overrideConfig("KafkaRpcPlugin.kafka.bootstrap.servers", "127.0.0.1:1");
    config.overrideConfig("KafkaRpcPlugin.seh.topic.default", "again");
    KafkaStorageExceptionHandler handler = new KafkaStorageExceptionHandler();
    handler.initialize(new TSDB(new HBaseClient("127.0.0.1:1"), config));
    handler.collectStats(collector);
    handler.shutdown();
    config.overrideConfig("KafkaRpcPlugin.publisher.topic", "published");
    KafkaPublisher publisher = new KafkaPublisher();
    publisher.initialize(new TSDB(new HBaseClient("127.0.0.1:1"), config));
    publisher.collectStats(collector);
    publisher.shutdown();
    return names;
  }
}
