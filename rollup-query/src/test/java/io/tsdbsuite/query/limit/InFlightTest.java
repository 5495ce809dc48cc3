package io.tsdbsuite.query.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InFlightTest {
  private final List<String> stopped = new ArrayList<>();

  private InFlight.Share begin(InFlight inFlight, String client, String name) {
    return inFlight.begin(client, message -> stopped.add(name));
  }

  @Test
  void oneClientMayUseAllOfIt() {
    InFlight inFlight = new InFlight(100, 0);
    InFlight.Share share = begin(inFlight, "a", "a1");
    share.add(100, 1L << 40);
    assertThat(stopped).isEmpty();
    assertThat(inFlight.cells()).isEqualTo(100);
    share.end();
    assertThat(inFlight.cells()).isZero();
    assertThat(inFlight.bytes()).isZero();
    assertThat(inFlight.queries()).isZero();
  }

  @Test
  void theLargestQueryOfTheLargestClientIsStopped() {
    InFlight inFlight = new InFlight(100, 0);
    InFlight.Share a1 = begin(inFlight, "a", "a1");
    InFlight.Share a2 = begin(inFlight, "a", "a2");
    InFlight.Share b = begin(inFlight, "b", "b");
    b.add(38, 0);
    a1.add(35, 0);
    a2.add(20, 0);
    assertThat(stopped).isEmpty();
    // b has the largest query, a the most in sum. The small dashboard of c goes on.
    begin(inFlight, "c", "c").add(8, 0);
    assertThat(stopped).containsExactly("a1");
    assertThat(inFlight.cells()).isEqualTo(66);
    // It no longer counts, whatever it does until its end.
    a1.add(1000, 0);
    a1.end();
    assertThat(inFlight.cells()).isEqualTo(66);
    assertThat(stopped).containsExactly("a1");
  }

  @Test
  void aQueryThatIsLargerThanAllIsStoppedAlone() {
    InFlight inFlight = new InFlight(100, 0);
    begin(inFlight, "a", "a").add(10, 0);
    begin(inFlight, "b", "b").add(1000, 0);
    assertThat(stopped).containsExactly("b");
    assertThat(inFlight.cells()).isEqualTo(10);
  }

  @Test
  void memoryIsLimitedToo() {
    InFlight inFlight = new InFlight(1000, 100);
    begin(inFlight, "cells", "cells").add(900, 10);
    // 0.9 of the cells are more than 0.85 of the memory.
    begin(inFlight, "bytes", "bytes").add(10, 85);
    assertThat(stopped).isEmpty();
    begin(inFlight, "c", "c").add(1, 6);
    assertThat(stopped).containsExactly("cells");
  }

  @Test
  void theMessageHasTheNumbers() {
    InFlight inFlight = new InFlight(100, 5 << 20);
    List<String> messages = new ArrayList<>();
    inFlight.begin("a", messages::add).add(1234, 3 << 20);
    assertThat(messages).hasSize(1);
    assertThat(messages.get(0))
        .contains("100 cells, 5 MB: tsd.rollup_query.max_cells_in_flight")
        .contains("1,234 cells, 3 MB");
  }

  /** Nobody loses a query while another client holds more, and the rest is within the limits. */
  @Test
  void isFairInAnyOrder() {
    Random random = Seed.random();
    for (int round = 0; round < 200; round++) {
      InFlight inFlight = new InFlight(1000, 0);
      Map<String, Long> held = new HashMap<>();
      Map<String, InFlight.Share> shares = new HashMap<>();
      for (int step = 0; step < 60; step++) {
        String client = "client" + random.nextInt(4);
        String name = client + "/" + random.nextInt(3);
        InFlight.Share share =
            shares.computeIfAbsent(
                name,
                key ->
                    inFlight.begin(
                        client,
                        message -> {
                          assertThat(sum(held, client))
                              .isEqualTo(
                                  held.keySet().stream()
                                      .mapToLong(each -> sum(held, each.split("/", -1)[0]))
                                      .max()
                                      .orElse(0));
                          held.remove(key);
                          shares.remove(key);
                        }));
        if (random.nextInt(10) == 0) {
          share.end();
          shares.remove(name);
          held.remove(name);
        } else {
          long cells = random.nextInt(200);
          held.merge(name, cells, Long::sum);
          share.add(cells, 0);
        }
        assertThat(inFlight.cells())
            .isLessThanOrEqualTo(1000)
            .isEqualTo(held.values().stream().mapToLong(Long::longValue).sum());
        assertThat(inFlight.queries()).isEqualTo(shares.size());
      }
    }
  }

  private static long sum(Map<String, Long> held, String client) {
    return held.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(client + "/"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
