package io.tsdbsuite.bulk.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.names.NameMapping;
import io.tsdbsuite.format.schema.TsdConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadJobTest {
  @Test
  void aResumeComparesWhatDecidesOnRowsAndOnNames() {
    String text =
        "tsd.storage.salt.width = 1\ntsd.storage.max_tags = 12\n"
            + "tsd.core.tag.allow_specialchars = :\ntsd.network.port = 4242\n"
            + "tsd.core.histograms.config = codecs.json\n";
    assertThat(LoadJob.schemaKeys(TsdConfig.parse(text), NameMapping.NONE))
        .isEqualTo(
            Map.of(
                "tsd.storage.salt.width",
                "1",
                "tsd.storage.max_tags",
                "12",
                "tsd.core.tag.allow_specialchars",
                ":"));
  }
}
