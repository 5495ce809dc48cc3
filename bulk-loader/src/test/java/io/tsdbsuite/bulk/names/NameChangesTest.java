package io.tsdbsuite.bulk.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NameChangesTest {
  private static NameRules replacing(boolean merge) {
    return new NameRules(NameMapping.NONE, Map.of(), "_", merge);
  }

  private static NameRules mapping(String kind, String source, String name) {
    Map<String, NameMapping.Entry> entry = Map.of(source, new NameMapping.Entry(name, "f:1"));
    return new NameRules(
        kind.equals("metric")
            ? new NameMapping("f", entry, Map.of())
            : new NameMapping("f", Map.of(), entry),
        Map.of(),
        "",
        false);
  }

  private static String change(NameChanges changes, String metric, String... tags) {
    NewSeries names = changes.change(metric, List.of(tags));
    return names.refusal() == null ? names.metric() + names.tags() : names.refusal().reason().key();
  }

  @Test
  void refusedCharactersAreReplaced() {
    NameChanges changes = new NameChanges(replacing(false), "");
    assertThat(change(changes, "a:b c", "k=1", "\u20ac\ud83d\ude00\u00e9", "x/y.z-_0", "v"))
        .isEqualTo("a_b_c[k_1, __\u00e9, x/y.z-_0, v]");
    NameChanges allowed = new NameChanges(replacing(false), ":");
    assertThat(change(allowed, "a:b c", "k", "v")).isEqualTo("a:b_c[k, v]");
  }

  @Test
  void namesThatBecomeOneAreRefusedInEitherOrder() {
    NameChanges changes = new NameChanges(replacing(false), "");
    assertThat(change(changes, "a:b", "k", "x y")).isEqualTo("a_b[k, x_y]");
    assertThat(change(changes, "a:b", "k", "x y")).isEqualTo("a_b[k, x_y]");
    assertThat(change(changes, "a_b", "k", "z")).isEqualTo("nameCollision");
    assertThat(change(changes, "other", "k", "x_y")).isEqualTo("nameCollision");
    // The value of another tag is no part of the same series.
    assertThat(change(changes, "other", "l", "x_y")).isEqualTo("other[l, x_y]");
    SeriesRefusal refused = changes.change("m", List.of("k", "x+y")).refusal();
    assertThat(refused.reason()).isEqualTo(RejectReason.NAME_COLLISION);
    assertThat(refused.detail()).contains("tag value of k").contains("'x y' and 'x+y' for x_y");

    NameChanges otherOrder = new NameChanges(replacing(false), "");
    assertThat(change(otherOrder, "a_b", "k", "v")).isEqualTo("a_b[k, v]");
    assertThat(change(otherOrder, "a:b", "k", "v")).isEqualTo("nameCollision");
  }

  @Test
  void mergedNamesAreTold() {
    NameChanges changes = new NameChanges(replacing(true), "");
    assertThat(change(changes, "a:b", "k", "v")).isEqualTo("a_b[k, v]");
    assertThat(change(changes, "a_b", "k", "v")).isEqualTo("a_b[k, v]");
    assertThat(changes.warnings()).hasSize(1);
    assertThat(changes.warnings().get(0)).contains("'a:b' and 'a_b' for a_b");
  }

  @Test
  void aMappedNameMayNotBeAnothersOwn() {
    NameChanges metrics = new NameChanges(mapping("metric", "old", "new"), "");
    assertThat(change(metrics, "old", "k", "v")).isEqualTo("new[k, v]");
    assertThat(change(metrics, "new", "k", "v")).isEqualTo("nameCollision");
    NameChanges tags = new NameChanges(mapping("tag", "hostname", "host"), "");
    assertThat(change(tags, "m", "hostname", "a")).isEqualTo("m[host, a]");
    assertThat(change(tags, "m", "host", "a")).isEqualTo("nameCollision");
    assertThat(change(tags, "host", "k", "host")).isEqualTo("host[k, host]");
  }

  @Test
  void anAddedTagMayNotBeOneOfTheSource() {
    NameRules rules = new NameRules(NameMapping.NONE, Map.of("dc", "x"), "", false);
    NameChanges changes = new NameChanges(rules, "");
    assertThat(change(changes, "m", "k", "v")).isEqualTo("m[k, v, dc, x]");
    assertThat(change(changes, "m")).isEqualTo("m[dc, x]");
    assertThat(change(changes, "m", "dc", "x")).isEqualTo("nameCollision");
  }

  @Test
  void entriesWithoutAUseAreTold() {
    NameChanges changes = new NameChanges(mapping("metric", "old", "new"), "");
    change(changes, "m", "k", "v");
    assertThat(changes.warnings()).containsExactly("f:1: no metric of the input is 'old'");
    change(changes, "old", "k", "v");
    assertThat(changes.warnings()).isEmpty();
  }

  @Test
  void aResumeKnowsWhatWasMetBefore() {
    NameChanges before = new NameChanges(replacing(false), "");
    change(before, "a:b", "k", "v");
    List<ChangedName> met = new ArrayList<>(before.takeFresh());
    assertThat(before.takeFresh()).isEmpty();
    change(before, "a:c", "k", "v");
    met.addAll(before.takeFresh());
    assertThat(met).extracting(ChangedName::source).containsExactly("a:b", "a:c");

    NameChanges after = new NameChanges(replacing(false), "");
    after.restore(met);
    assertThat(after.takeFresh()).isEmpty();
    assertThat(change(after, "a_b", "k", "v")).isEqualTo("nameCollision");
    assertThat(change(after, "a:b", "k", "v")).isEqualTo("a_b[k, v]");
  }
}
