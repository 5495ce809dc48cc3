package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.stumbleupon.async.Deferred;
import com.stumbleupon.async.TimeoutException;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hbase.async.PutRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowBatchTest {
  private final List<PutRequest> puts = new ArrayList<>();
  private final List<Deferred<Object>> answers = new ArrayList<>();
  private final PackedStats stats = new PackedStats();
  private Error broken;
  private int flushes;
  private final RowBatch batch =
      new RowBatch(
          put -> {
            if (broken != null && put.key()[0] == 2) {
              throw broken;
            }
            puts.add(put);
            Deferred<Object> answer = new Deferred<>();
            answers.add(answer);
            return answer;
          },
          stats,
          new PartFlush(
              () -> {
                flushes++;
                return Deferred.fromResult(null);
              }));

  private Deferred<Object> add(String table, int key, int qualifier, long timestamp) {
    return batch.add(
        table.getBytes(StandardCharsets.ISO_8859_1),
        null,
        new byte[] {(byte) key, 0},
        new byte[][] {{(byte) qualifier}},
        new byte[][] {{0}},
        timestamp);
  }

  private List<String> sent() {
    List<String> sent = new ArrayList<>();
    for (PutRequest put : puts) {
      sent.add(
          new String(put.table(), StandardCharsets.ISO_8859_1)
              + " "
              + (put.key()[0] & 0xff)
              + " "
              + put.qualifiers().length);
    }
    return sent;
  }

  private int messagesUntilFull(int rows) {
    int messages = 0;
    while (!batch.isFull()) {
      batch.add(
          new byte[] {'a'},
          null,
          ByteBuffer.allocate(4).putInt(messages % rows).array(),
          new byte[][] {{0}},
          new byte[][] {{0}},
          7);
      messages++;
    }
    return messages;
  }

  /** Many messages of half a day a row are full; with fewer for each row more are waited for. */
  @ParameterizedTest
  @CsvSource({"20, 2048", "170, 2048", "200, 2400", "682, 8184", "683, 8192", "10000, 8192"})
  void isFullByMessagesAndByRows(int rows, int full) {
    assertThat(messagesUntilFull(rows)).isEqualTo(full);
    batch.send();
    assertThat(batch.isFull()).isFalse();
  }

  /** HBase's client fills RPCs in this order: neighbours are in one region. */
  @Test
  void putsAreInTheOrderOfTablesAndUnsignedRowKeys() {
    for (int key : new int[] {200, 3, 100, 255, 0, 128, 127}) {
      add("b", key, 1, 7);
      add("a", key, 1, 7);
    }
    assertThat(puts).isEmpty();
    batch.send();

    assertThat(sent())
        .containsExactly(
            "a 0 1", "a 3 1", "a 100 1", "a 127 1", "a 128 1", "a 200 1", "a 255 1", "b 0 1",
            "b 3 1", "b 100 1", "b 127 1", "b 128 1", "b 200 1", "b 255 1");
    assertThat(batch.rollups()).isZero();
  }

  @Test
  void cellsOfARowAreOnePutUnlessTheirTimestampsDiffer() {
    add("t", 1, 1, 7);
    add("t", 2, 1, 7);
    add("t", 1, 2, 7);
    add("t", 1, 3, 8);
    batch.send();

    assertThat(sent()).containsExactlyInAnyOrder("t 1 2", "t 1 1", "t 2 1");
    assertThat(puts.get(2).key()[0]).isEqualTo((byte) 2);
  }

  @Test
  void anErrorIsTheAnswerOfItsRowAlone() throws Exception {
    broken = new OutOfMemoryError("no memory");
    add("t", 1, 1, 7);
    Deferred<Object> failed = add("t", 2, 1, 7);
    add("t", 3, 1, 7);
    batch.send();
    broken = null;
    batch.send();
    assertThat(sent()).containsExactly("t 1 1", "t 3 1");
    assertThatThrownBy(() -> failed.join(1)).hasRootCauseMessage("no memory");
  }

  @Test
  void eachMessageGetsTheAnswerToItsPut() throws Exception {
    Deferred<Object> first = add("t", 2, 1, 7);
    Deferred<Object> second = add("t", 1, 1, 7);
    Deferred<Object> third = add("t", 2, 2, 7);
    batch.send();

    answers.get(0).callback("row 1");
    assertThat(second.join(1)).isEqualTo("row 1");
    answers.get(1).callback(new IllegalStateException("row 2"));
    assertThatThrownBy(() -> first.join(1)).hasMessage("row 2");
    assertThatThrownBy(() -> third.join(1)).hasMessage("row 2");
  }

  /** Of the hour of a day; key is the row. */
  private Deferred<Object> addPacked(int key, int hour, long asOf, double sum, long count) {
    return batch.add(
        new byte[] {'t'},
        PackedSchema.table(),
        new byte[] {(byte) key},
        new byte[][] {
          RollupCell.countQualifier(2, hour),
          RollupCell.doubleQualifier(0, hour),
          RollupCell.doubleQualifier(3, hour),
          RollupCell.doubleQualifier(11, hour),
          RollupCell.doubleQualifier(4, hour),
          // An aggregator that the interval does not have.
          RollupCell.doubleQualifier(10, hour)
        },
        new byte[][] {
          RollupCell.countValue(count),
          RollupCell.doubleValue(sum),
          RollupCell.doubleValue(-sum),
          RollupCell.doubleValue(0.1),
          RollupCell.doubleValue(sum + 1),
          RollupCell.doubleValue(5)
        },
        asOf);
  }

  /** The parts of a put in the packed table, as rows of their kinds. */
  private static Map<Integer, PackedRow> parts(PutRequest put) throws Exception {
    assertThat(put.table()).asString(StandardCharsets.ISO_8859_1).isEqualTo("k-1h");
    Map<Integer, PackedRow> rows = new TreeMap<>();
    for (int i = 0; i < put.qualifiers().length; i++) {
      byte[] q = put.qualifiers()[i];
      byte[] v = put.values()[i];
      PackedRow row = new PackedRow(q[0], 24);
      row.add(put.key(), 0, put.key().length, q, 0, q.length, v, 0, v.length);
      assertThat(row.asOf()).isEqualTo(put.timestamp());
      rows.put((int) q[0], row);
    }
    return rows;
  }

  @Test
  void theRollupsOfARowAndTimeAreOnePartOfEachKind() throws Exception {
    long exact = (1L << 53) + 1;
    addPacked(1, 3, 7_000, 90.5, exact);
    takeBack(5, Deferred.fromResult(null));
    addPacked(2, 3, 7_000, 1, 1);
    addPacked(1, 4, 7_000, -0.0, 2);
    addPacked(1, 3, 8_000, 1, 1);
    batch.send();

    assertThat(sent()).containsExactlyInAnyOrder("t 1 12", "t 1 6", "t 2 6");
    for (int row = 0; row < 3; row++) {
      assertThat(flushes).isZero();
      answers.get(row).callback(null);
    }
    assertThat(flushes).as("once, with all parts").isEqualTo(1);
    assertThat(sent().subList(3, 6)).containsExactlyInAnyOrder("k-1h 1 2", "k-1h 1 2", "k-1h 2 2");
    PutRequest first = puts.get(3).timestamp() == 7_000 ? puts.get(3) : puts.get(4);
    Map<Integer, PackedRow> parts = parts(first);
    PackedRow four = parts.get(PackedRow.kind(""));
    assertThat(four.value(PackedRow.SUM, 3)).isEqualTo(90.5);
    assertThat(four.value(PackedRow.MIN, 3)).isEqualTo(-90.5);
    assertThat(four.value(PackedRow.MAX, 3)).isEqualTo(91.5);
    assertThat(four.count(3)).isEqualTo(exact);
    assertThat(Double.doubleToRawLongBits(four.value(PackedRow.SUM, 4)))
        .isEqualTo(Double.doubleToRawLongBits(-0.0));
    PackedRow p99 = parts.get(PackedRow.kind("p99"));
    assertThat(p99.value(PackedRow.FURTHER, 4)).isEqualTo(0.1);
    for (PackedRow row : parts.values()) {
      assertThat(row.isTakenBack(5)).isTrue();
      assertThat(row.asOf(6)).isNegative();
    }
  }

  private Deferred<Object> takeBack(int slot, Deferred<Object> deletion) {
    return batch.takeBack(
        new byte[] {'t'}, PackedSchema.table(), new byte[] {1}, slot, 7_000, deletion);
  }

  @Test
  void aDeletionAloneIsAPartOfEachKind() throws Exception {
    Deferred<Object> deletion = new Deferred<>();
    Deferred<Object> answer = takeBack(5, deletion);
    assertThat(batch.rollups()).isEqualTo(1);
    batch.send();
    assertThat(sent()).isEmpty();
    deletion.callback(null);
    assertThat(sent()).containsExactly("k-1h 1 2");
    assertThat(flushes).isEqualTo(1);
    assertThat(parts(puts.get(0)))
        .containsOnlyKeys(PackedRow.kind(""), PackedRow.kind("p99"))
        .allSatisfy((kind, row) -> assertThat(row.isTakenBack(5)).isTrue());
    answers.get(0).callback("done");
    assertThat(answer.join(1)).isEqualTo("done");
  }

  /** Else a TSD that is killed could leave a part of which the plain table knows nothing. */
  @Test
  void aPartFollowsAllPlainWritesOfItsRow() throws Exception {
    List<Deferred<Object>> deletions = List.of(new Deferred<>(), new Deferred<>());
    Deferred<Object> stored = addPacked(1, 3, 7_000, 1, 1);
    Deferred<Object> deleted = takeBack(5, deletions.get(0));
    takeBack(6, deletions.get(1));
    batch.send();
    deletions.get(0).callback(null);
    answers.get(0).callback("cells");
    assertThat(sent()).containsExactly("t 1 6");
    deletions.get(1).callback(null);
    assertThat(sent()).containsExactly("t 1 6", "k-1h 1 2");
    for (Deferred<Object> each : List.of(stored, deleted)) {
      assertThatThrownBy(() -> each.join(1)).isInstanceOf(TimeoutException.class);
    }
    answers.get(1).callback("part");
    assertThat(stored.join(1)).isEqualTo("part");
    assertThat(deleted.join(1)).isEqualTo("part");
    assertThat(stats.written()).isEqualTo(2);
  }

  /** Whichever of them fails: cells, deletion, part. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aFailedWriteIsTheAnswerOfTheRow(int failing) {
    Exception failure = new IllegalStateException("refused");
    Deferred<Object> deletion = new Deferred<>();
    Deferred<Object> stored = addPacked(1, 3, 7_000, 1, 1);
    Deferred<Object> deleted = takeBack(5, deletion);
    batch.send();
    answers.get(0).callback(failing == 0 ? failure : null);
    assertThatThrownBy(() -> stored.join(1)).isInstanceOf(TimeoutException.class);
    deletion.callback(failing == 1 ? failure : null);
    assertThat(puts).hasSize(failing == 2 ? 2 : 1);
    assertThat(flushes).isEqualTo(failing == 2 ? 1 : 0);
    if (failing == 2) {
      answers.get(1).callback(failure);
    }
    for (Deferred<Object> each : List.of(stored, deleted)) {
      assertThatThrownBy(() -> each.join(1)).hasStackTraceContaining("refused");
    }
    assertThat(stats.failed()).isEqualTo(failing == 2 ? 2 : 0);
    assertThat(stats.written()).isZero();
  }

  /** Of two without a time of their own the later one must win, also within a millisecond. */
  @Test
  void theTimeOfWhatHasNoneIsLaterThanAllThatWasSent() {
    assertThat(batch.now(1000)).isEqualTo(1000);
    assertThat(batch.now(1000)).isEqualTo(1000);
    batch.send();
    assertThat(batch.now(1000)).isEqualTo(1001);
    assertThat(batch.now(900)).isEqualTo(1001);
    batch.send();
    batch.send();
    assertThat(batch.now(1000)).isEqualTo(1002);
    assertThat(batch.now(5000)).isEqualTo(5000);
  }

  @Test
  void aRollupThatNoPartCanHaveIsRefused() {
    PackedTable table = PackedSchema.table();
    byte[][] three = {
      RollupCell.doubleQualifier(0, 1),
      RollupCell.doubleQualifier(3, 1),
      RollupCell.countQualifier(2, 1),
      RollupCell.doubleQualifier(11, 1)
    };
    BadMessageException refused =
        catchThrowableOfType(BadMessageException.class, () -> table.require(three, 1));
    assertThat(refused.reason()).isEqualTo(Reason.REFUSED);
    assertThat(refused)
        .hasMessage(
            "a rollup of 1h, which has a table in suite.packed of rollup_config.json, must have"
                + " sum, min, max and count in one message of type Rollup, found others");
    for (long asOf : new long[] {-1, 1L << 48, Long.MAX_VALUE}) {
      refused =
          catchThrowableOfType(BadMessageException.class, () -> PackedTable.requireAsOf(asOf));
      assertThat(refused.reason()).isEqualTo(Reason.BAD_TIMESTAMP);
    }
    assertThatCode(() -> PackedTable.requireAsOf((1L << 48) - 1)).doesNotThrowAnyException();
  }
}
