package io.tsdbsuite.format.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricPatternsTest {
  @Test
  void everyMetricIsWantedByDefault() {
    assertThat(MetricPatterns.all().isAll()).isTrue();
    assertThat(MetricPatterns.all().wants("sys.cpu.user")).isTrue();
  }

  @Test
  void starsAndQuestionMarksAreWildcardsAndNothingElseIs() {
    MetricPatterns patterns = MetricPatterns.of(List.of("sys.cpu.*", "if?.bytes"));
    assertThat(patterns.wants("sys.cpu.user")).isTrue();
    assertThat(patterns.wants("if0.bytes")).isTrue();
    assertThat(patterns.wants("sysXcpu.user")).isFalse();
    assertThat(patterns.wants("if.bytes")).isFalse();
    assertThat(patterns.wants("prefix.sys.cpu.user")).isFalse();
  }

  @Test
  void exclusionsWinAndAloneLeaveAllTheRest() {
    MetricPatterns mixed = MetricPatterns.of(List.of("sys.*", "!sys.cpu.idle"));
    assertThat(mixed.wants("sys.cpu.idle")).isFalse();
    assertThat(mixed.wants("sys.cpu.user")).isTrue();
    MetricPatterns only = MetricPatterns.of(List.of("!debug.*"));
    assertThat(only.wants("debug.x")).isFalse();
    assertThat(only.wants("sys.cpu.user")).isTrue();
  }

  @Test
  void patternsAreThoseOfTheRegularExpressions() {
    Random random = Seed.random();
    int matches = 0;
    for (int n = 0; n < 30_000; n++) {
      String pattern = draw(random, "ab*?*", 7);
      String name = draw(random, "aab\uD83D\uDE00", 9);
      boolean wanted =
          Pattern.compile(pattern.replace("?", ".").replace("*", ".*")).matcher(name).matches();
      matches += wanted ? 1 : 0;
      assertThat(MetricPatterns.of(List.of("a*b" + pattern)).wants("a+b" + name))
          .as("%s%s matches %s", Seed.describe(n), pattern, name)
          .isEqualTo(
              wanted
                  || Pattern.matches(
                      "a.*b" + pattern.replace("?", ".").replace("*", ".*"), "a+b" + name));
      assertThat(MetricPatterns.of(List.of(pattern)).wants(name))
          .as("%s%s matches %s", Seed.describe(n), pattern, name)
          .isEqualTo(wanted);
    }
    assertThat(matches).isGreaterThan(1000);
  }

  private static String draw(Random random, String alphabet, int most) {
    int[] all = alphabet.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most); i > 0; i--) {
      text.appendCodePoint(all[random.nextInt(all.length)]);
    }
    return text.toString();
  }

  @Test
  void manyStarsTakeNoMoreThanTheProductOfTheLengths() {
    MetricPatterns patterns = MetricPatterns.of(List.of("*a".repeat(200) + "b"));
    assertThat(patterns.wants("a".repeat(1000))).isFalse();
  }

  private static boolean share(String a, String b) {
    MetricPatterns one = MetricPatterns.of(List.of(a.split(",")));
    MetricPatterns other = MetricPatterns.of(List.of(b.split(",")));
    assertThat(one.mayShare(other)).isEqualTo(other.mayShare(one));
    return one.mayShare(other);
  }

  @Test
  void selectionsThatShareNoMetric() {
    assertThat(share("web.*", "db.*")).isFalse();
    assertThat(share("web.*,db.a", "db.b*,x")).isFalse();
    assertThat(share("web.*", "web.a")).isTrue();
    assertThat(share("web.*", "*")).isTrue();
    assertThat(share("w?b", "web")).isTrue();
    assertThat(share("web.*", "!db.*")).isTrue();
    assertThat(share("web.*", "x,w*")).isTrue();
    assertThat(share("*,!web.*", "web.*")).isFalse();
    assertThat(share("!web.*", "web.a,web.b")).isFalse();
    assertThat(share("!web.*", "web.*,!web.a")).isFalse();
    assertThat(share("*,!web.a", "web.*")).isTrue();
    assertThat(share("*,!web.*", "w*")).isTrue();
    assertThat(share("a,!a", "*")).isFalse();
  }
}
