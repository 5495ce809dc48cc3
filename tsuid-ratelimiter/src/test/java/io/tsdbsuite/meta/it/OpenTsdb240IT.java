package io.tsdbsuite.meta.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** OpenTSDB 2.4.0 does not ask a meta cache for its statistics; MetaCacheStartup tells them. */
@Tag("slow")
class OpenTsdb240IT {
  @Test
  void countsAndTellsItsStatistics() throws IOException {
    String test = "old";
    Map<String, String> conf = MetaStack.plugin(test, "mode", "count");
    conf.put("tsd.startup.enable", "true");
    conf.put("tsd.startup.plugin", "io.tsdbsuite.meta.MetaCacheStartup");
    Path before = Path.of(System.getProperty("opentsdb.before.jar"));
    TsdServer tsd = MetaStack.get().startTsd(test, conf, List.of(before, MetaStack.jar()));
    int points = 60;
    new Load("old.m", 2).write(tsd, points / 2);
    Map<String, String> stats = tsd.client().stats();
    assertThat(stats).doesNotContainKey("tsd.meta.cache.points plugin=metaCache");
    assertThat(stats)
        .containsEntry("tsd.meta.cache.points plugin=startup", Integer.toString(points));
    tsd.stop();
    assertThat(MetaRows.of(test).sum()).isEqualTo(points);
  }
}
