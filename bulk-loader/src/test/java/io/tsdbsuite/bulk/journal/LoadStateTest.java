package io.tsdbsuite.bulk.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.names.ChangedName;
import io.tsdbsuite.bulk.names.NameKind;
import io.tsdbsuite.bulk.parse.InfluxContext;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadStateTest {
  private static LoadState after(int events) {
    return LoadState.of(Events.all().subList(0, events));
  }

  @Test
  void nothingIsAState() {
    LoadState state = after(0);
    assertThat(state.started()).isEmpty();
    assertThat(state.replaceable()).isTrue();
    assertThat(state.unit(0)).isEqualTo(LoadState.UnitProgress.NONE);
    assertThat(state.range(0)).isEqualTo(LoadState.RangeProgress.NONE);
    assertThat(state.written()).isFalse();
    assertThatThrownBy(state::cuts).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void knowsWhatInfluxExportsAreLoaded() {
    JournalEvent met = new JournalEvent.InfluxContextMet("telegraf", "");
    assertThat(LoadState.of(List.of(Events.started(), met, met)).influxContexts())
        .containsExactly(new InfluxContext("telegraf", ""));
    assertThat(after(4).influxContexts()).isEmpty();
  }

  @Test
  void knowsWhatNamesWereMet() throws IOException {
    ChangedName one = new ChangedName(NameKind.TAG_VALUE, "host", "a_b", "a \"b\u20ac");
    ChangedName two = new ChangedName(NameKind.METRIC, "", "m", "");
    JournalEvent met = new JournalEvent.NamesMet(List.of(one, two));
    byte[] json = EventJson.write(7, met);
    JournalEvent read = EventJson.read(json, 0, json.length).event();
    assertThat(LoadState.of(List.of(Events.started(), read, read)).names())
        .containsExactly(one, two, one, two);
    assertThat(after(4).names()).isEmpty();
  }

  @Test
  void knowsHowFarReadingIs() {
    LoadState state = after(4);
    assertThat(state.started()).contains(Events.started());
    assertThat(state.unit(0))
        .isEqualTo(new LoadState.UnitProgress(2, new Position(1L << 40, 7, 9), false, 2));
    assertThat(state.unit(1).done()).isTrue();
    assertThat(state.unit(2)).isEqualTo(LoadState.UnitProgress.NONE);
    assertThat(state.runs()).containsExactly("u0-s0.run", "u0-s1.run", "u1-s0.run");
    assertThat(state.rejectLengths()).isEqualTo(Map.of(RejectForm.JSON, 20L));
    assertThat(state.tally().get(Count.POINTS_READ)).isEqualTo(300);
    assertThat(state.tally().rejected(RejectReason.BAD_VALUE)).isEqualTo(3);
    assertThat(state.readDone()).isFalse();
    assertThat(state.replaceable()).isFalse();
  }

  @Test
  void compactedRunsTakeThePlaceOfTheFirst() {
    LoadState state = after(6);
    assertThat(state.unit(0).done()).isTrue();
    assertThat(state.unit(0).spills()).isEqualTo(3);
    assertThat(state.runs()).containsExactly("c0.run", "u1-s0.run");
  }

  @Test
  void knowsHowFarWritingIs() {
    LoadState state = after(9);
    assertThat(state.readDone()).isTrue();
    assertThat(state.cut()).isTrue();
    assertThat(state.cuts()).hasSize(2);
    assertThat(state.range(1).lastKey()).containsExactly(0, 6, -1);
    assertThat(state.range(1).done()).isFalse();
    state = after(11);
    assertThat(state.range(0).done()).isTrue();
    assertThat(state.range(1).done()).isTrue();
    assertThat(state.range(1).lastKey()).containsExactly(0, 6, -1);
    assertThat(state.written()).isFalse();
    state = after(13);
    assertThat(state.written()).isTrue();
    assertThat(state.tally().get(Count.POINTS_WRITTEN)).isEqualTo(250);
    assertThat(state.bulkLoading()).isFalse();
  }

  @Test
  void knowsTheEnd() {
    assertThat(after(14).bulkLoading()).isTrue();
    assertThat(after(14).bulkLoaded()).isFalse();
    assertThat(after(15).bulkLoaded()).isTrue();
    assertThat(after(16).metaDone()).isTrue();
    assertThat(after(16).finished()).isEmpty();
    assertThat(after(16).replaceable()).isFalse();
    assertThat(after(17).finished()).hasValue(0);
    assertThat(after(17).replaceable()).isTrue();
  }

  @Test
  void aLoadThatFailedCanBeResumedAndOneThatRefusedItsInputReplaced() {
    List<JournalEvent> events = new ArrayList<>(Events.all().subList(0, 3));
    events.add(new JournalEvent.Finished(3));
    assertThat(LoadState.of(events).replaceable()).isFalse();
    assertThat(LoadState.of(events).finished()).hasValue(3);
    events.set(3, new JournalEvent.Finished(4));
    assertThat(LoadState.of(events).replaceable()).isFalse();
    events.set(3, new JournalEvent.Finished(1));
    assertThat(LoadState.of(events).replaceable()).isTrue();
    events.add(Events.spilled("u0-s1.run", 0, 1, false));
    assertThat(LoadState.of(events).finished()).isEmpty();
    List<JournalEvent> written = new ArrayList<>(Events.all().subList(0, 9));
    written.add(new JournalEvent.Finished(1));
    assertThat(LoadState.of(written).replaceable()).isFalse();
  }

  /** Servers are recorded before rows are put: without acknowledged rows none is lost with them. */
  @Test
  void serversCountFromTheFirstAcknowledgedRow() {
    List<JournalEvent> events = new ArrayList<>(Events.all().subList(0, 8));
    events.add(new JournalEvent.ServersSeen(List.of("rs1,16020,1")));
    assertThat(LoadState.of(events).begun()).isEmpty();
    assertThat(LoadState.of(events).servers()).isEmpty();
    events.add(Events.rows(1, 6, false));
    assertThat(LoadState.of(events).servers()).containsExactly("rs1,16020,1");
  }

  @Test
  void rangesThatAreReopenedBeginAnew() {
    List<JournalEvent> events = new ArrayList<>(Events.all().subList(0, 12));
    events.add(new JournalEvent.ServersSeen(List.of("rs1,16020,1", "rs2,16020,1")));
    LoadState before = LoadState.of(events);
    assertThat(before.servers()).containsExactlyInAnyOrder("rs1,16020,1", "rs2,16020,1");
    assertThat(before.begun()).containsExactly(0, 1, 2);
    assertThat(before.written(1).get(Count.POINTS_WRITTEN)).isEqualTo(100);
    events.add(new JournalEvent.RangesReopened(List.of(1, 2), "rs1 ended"));
    LoadState after = LoadState.of(events);
    assertThat(after.begun()).containsExactly(0);
    assertThat(after.range(0).done()).isTrue();
    assertThat(after.range(1)).isEqualTo(LoadState.RangeProgress.NONE);
    assertThat(after.written(1).get(Count.POINTS_WRITTEN)).isZero();
    assertThat(before.tally().get(Count.POINTS_WRITTEN)).isEqualTo(200);
    assertThat(after.tally().get(Count.POINTS_WRITTEN)).isEqualTo(50);
    assertThat(after.servers()).isEmpty();
    events.add(Events.rows(1, 2, true));
    assertThat(LoadState.of(events).range(1).done()).isTrue();
  }

  @Test
  void contradictionsAreErrors() {
    contradicts("a load starts once", Events.rows(0, 1, true));
    contradicts("a load starts once", Events.started(), Events.started());
    contradicts("without a gap", Events.started(), Events.spilled("a", 0, 1, false));
    contradicts(
        "a unit that is done",
        Events.started(),
        Events.spilled("a", 0, 0, true),
        Events.spilled("b", 0, 1, true));
    contradicts(
        "a run is spilled once",
        Events.started(),
        Events.spilled("a", 0, 0, true),
        Events.spilled("a", 1, 0, true));
    contradicts(
        "only existing runs",
        Events.started(),
        new JournalEvent.RunsCompacted(List.of("x"), "y", new Tally()));
    contradicts("the key space is divided before", Events.started(), Events.rows(0, 1, true));
    contradicts(
        "a range that is done",
        Events.started(),
        new JournalEvent.RangesCut(List.of()),
        Events.rows(0, 1, true),
        Events.rows(0, 2, true));
    contradicts(
        "divided once",
        Events.started(),
        new JournalEvent.RangesCut(List.of()),
        new JournalEvent.RangesCut(List.of()));
  }

  private static void contradicts(String rule, JournalEvent... events) {
    assertThatThrownBy(() -> LoadState.of(List.of(events)))
        .hasMessageContaining("contradicts itself at line " + events.length)
        .hasMessageContaining(rule);
  }
}
