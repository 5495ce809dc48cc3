package io.tsdbsuite.format.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FirstMatchTest {
  private static MetricPatterns parse(String patterns) {
    return MetricPatterns.of(List.of(patterns.split(",")));
  }

  /** The level of the entries that begin with +. */
  private static String level(String within, String... entries) {
    List<MetricPatterns> all = new ArrayList<>();
    boolean[] chosen = new boolean[entries.length];
    for (int i = 0; i < entries.length; i++) {
      chosen[i] = entries[i].startsWith("+");
      all.add(parse(entries[i].substring(1)));
    }
    List<String> patterns = FirstMatch.patterns(all, chosen, parse(within));
    return patterns == null ? null : String.join(",", patterns);
  }

  @Test
  void oneEntry() {
    assertThat(level("*", "+*.latency,!tmp.*")).isEqualTo("*.latency,!tmp.*");
    assertThat(level("*", "+!tmp.*")).isEqualTo("*,!tmp.*");
    assertThat(level("*", "-*.latency")).isEmpty();
    assertThat(level("*", "+a.b,!a.*")).isEmpty();
  }

  @Test
  void theMetricsOfARun() {
    assertThat(level("app.*,!app.x", "+*")).isEqualTo("app.*,!app.x");
    assertThat(level("web.*", "+app.*")).isEmpty();
    assertThat(level("app.*", "+*.latency,!tmp.*")).isEqualTo("app.latency,app.*.latency");
    assertThat(level("!app.x.*", "+app.*,web.a")).isEqualTo("app.*,web.a,!app.x.*");
  }

  @Test
  void earlierEntries() {
    assertThat(level("*", "-*.latency,!tmp.*", "+app.*")).isEqualTo("app.*,!*.latency");
    assertThat(level("*", "+*.latency,!tmp.*", "+app.*")).isEqualTo("*.latency,app.*,!tmp.*");
    assertThat(level("*", "+*.latency,!tmp.*", "+*")).isEqualTo("*");
    assertThat(level("*", "+app.*", "-*", "+web.*")).isEqualTo("app.*");
    // tmp.a is of the second entry, and tmp.a.latency is not.
    assertThat(level("*", "-*.latency,!tmp.*", "+*")).isNull();
    assertThat(level("*", "+*.latency,!tmp.*", "+tmp.a.*")).isNull();
  }

  @Test
  void moreThanAWindowMaySay() {
    String hundred =
        IntStream.range(0, 100).mapToObj(i -> "m" + i).collect(Collectors.joining(","));
    assertThat(level("*", "+" + hundred)).isEqualTo(hundred);
    assertThat(level("*", "+" + hundred, "+n")).isNull();
    assertThat(level("*", "+" + "a".repeat(4096))).hasSize(4096);
    assertThat(level("*", "+" + "a".repeat(4097))).isNull();
  }

  /** All names of up to six characters, in entries of few patterns. */
  @Test
  void theListSelectsWhatTheEntriesDo() {
    Random random = Seed.random();
    List<String> names = new ArrayList<>(List.of(""));
    for (int i = 0; names.get(i).length() < 6; i++) {
      for (char c : "abc".toCharArray()) {
        names.add(names.get(i) + c);
      }
    }
    int exact = 0;
    for (int n = 0; n < Seed.times(3_000, 20_000); n++) {
      List<MetricPatterns> entries = new ArrayList<>();
      boolean[] chosen = new boolean[1 + random.nextInt(3)];
      String said = "";
      for (int i = 0; i < chosen.length; i++) {
        chosen[i] = random.nextInt(3) > 0;
        String drawn = draw(random);
        said += (chosen[i] ? " + " : " - ") + drawn;
        entries.add(parse(drawn));
      }
      String run = random.nextInt(3) > 0 ? "*" : draw(random);
      MetricPatterns within = parse(run);
      List<String> list = FirstMatch.patterns(entries, chosen, within);
      if (list == null) {
        continue;
      }
      exact++;
      MetricPatterns found = MetricPatterns.of(list);
      for (String name : names) {
        int first = 0;
        while (first < chosen.length && !entries.get(first).wants(name)) {
          first++;
        }
        assertThat(!list.isEmpty() && found.wants(name))
            .as("%s%s of %s within %s: '%s'", Seed.describe(n), list, said, run, name)
            .isEqualTo(first < chosen.length && chosen[first] && within.wants(name));
      }
    }
    assertThat(exact).isGreaterThan(Seed.times(3_000, 20_000) / 2);
  }

  private static String draw(Random random) {
    return IntStream.rangeClosed(0, random.nextInt(3))
        .mapToObj(
            i ->
                (random.nextInt(3) == 0 ? "!" : "")
                    + random
                        .ints(1 + random.nextInt(4), 0, 6)
                        .mapToObj(c -> "abc**?".substring(c, c + 1))
                        .collect(Collectors.joining()))
        .collect(Collectors.joining(","));
  }
}
