package io.tsdbsuite.format.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
  private static final List<String> NAMES = texts("abc", 5);

  @Test
  void onlyTheWildcardsAreSpecial() {
    assertThat(new Glob("a.*[x]?").matches("a.bc[x]d")).isTrue();
    assertThat(new Glob("a.*[x]?").matches("aXbc[x]d")).isFalse();
    assertThat(new Glob("a?").matches("a")).isFalse();
    assertThat(new Glob("*").matches("")).isTrue();
    assertThat(new Glob("\\E*").matches("\\Ex")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "app.*,app.cpu,true,true",
    "app.*,*,true,false",
    "*,app.*,true,true",
    "app.*,*.cpu,true,false",
    "app.*,web.*,false,false",
    "a?c,a*,true,false",
    "a*,a?c,true,true",
    "a??,a*c,true,false",
    "abc,ab,false,false",
    "a*,a,true,true",
    "*a*,b*,true,false",
    "**,*,true,true",
    "?,*,true,false"
  })
  void twoPatternsAreCompared(String one, String other, boolean shares, boolean contains) {
    assertThat(new Glob(one).shares(new Glob(other))).isEqualTo(shares);
    assertThat(new Glob(other).shares(new Glob(one))).isEqualTo(shares);
    assertThat(new Glob(one).contains(new Glob(other))).isEqualTo(contains);
  }

  /** All patterns of up to four characters, with all names of up to five. */
  @Test
  void theComparisonIsThatOfAllNames() {
    List<String> patterns = texts("ab*?", 4);
    Map<String, BitSet> names = new HashMap<>();
    for (String one : patterns.subList(0, 85)) {
      for (String other : patterns) {
        Glob a = new Glob(one);
        Glob b = new Glob(other);
        BitSet ofA = names.computeIfAbsent(one, GlobTest::matching);
        BitSet ofB = names.computeIfAbsent(other, GlobTest::matching);
        BitSet ofBoth = (BitSet) ofA.clone();
        ofBoth.and(ofB);
        assertThat(a.shares(b)).as("%s shares %s", one, other).isEqualTo(!ofBoth.isEmpty());
        BitSet found = new BitSet();
        a.and(b).forEach(e -> found.or(names.computeIfAbsent(e.text(), GlobTest::matching)));
        assertThat(found).as("%s and %s", one, other).isEqualTo(ofBoth);
        if (a.contains(b)) {
          assertThat(ofBoth).as("%s in %s", other, one).isEqualTo(ofB);
        }
      }
    }
  }

  private static BitSet matching(String pattern) {
    Glob glob = new Glob(pattern);
    BitSet matching = new BitSet();
    IntStream.range(0, NAMES.size()).filter(i -> glob.matches(NAMES.get(i))).forEach(matching::set);
    return matching;
  }

  @Test
  void tooManyPatternsMatchWhatBothDo() {
    assertThat(new Glob("*a".repeat(3)).and(new Glob("*b".repeat(3)))).isEmpty();
    assertThat(new Glob("*a*b*").and(new Glob("*c*"))).hasSizeBetween(3, 1000);
    assertThat(new Glob("*a".repeat(20) + "*").and(new Glob("*b".repeat(20) + "*"))).isNull();
  }

  private static List<String> texts(String alphabet, int longest) {
    List<String> all = new ArrayList<>(List.of(""));
    for (int i = 0; i < all.size() && all.get(i).length() < longest; i++) {
      for (int c = 0; c < alphabet.length(); c++) {
        all.add(all.get(i) + alphabet.charAt(c));
      }
    }
    return all;
  }
}
