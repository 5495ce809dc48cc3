package io.tsdbsuite.bench.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.message.write.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class RollupLoadTest {
  private static final int SERIES = 2 * 2000;

  private static List<RollupElement> rollups() throws BadMessageException {
    MessageReader reader = new MessageReader();
    List<RollupElement> rollups = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record :
        new RollupLoad(2).messages("t", MessageFormat.ROLLUP)) {
      rollups.add((RollupElement) reader.read(record.value()).get(0));
    }
    return rollups;
  }

  private static String series(RollupElement rollup) {
    return rollup.metric() + rollup.tags().get("host");
  }

  @Test
  void aJobSendsTheHoursOfAMetricOneAfterAnotherAsOfOneInstant() throws BadMessageException {
    List<RollupElement> job = rollups();

    assertThat(job.stream().map(RollupElement::asOf).distinct()).hasSize(1);
    for (int i = 1; i < job.size(); i++) {
      RollupElement before = job.get(i - 1);
      RollupElement now = job.get(i);
      if (now.metric().equals(before.metric())) {
        assertThat(now.timestamp()).isGreaterThanOrEqualTo(before.timestamp());
      }
    }
    assertThat(job.stream().map(rollup -> series(rollup) + rollup.timestamp()).distinct())
        .hasSize(24 * SERIES);
  }
}
