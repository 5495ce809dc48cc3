package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hbase.async.PutRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowBatchTest {
  private final List<PutRequest> puts = new ArrayList<>();
  private final List<Deferred<Object>> answers = new ArrayList<>();
  private Error broken;
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
          });

  private Deferred<Object> add(String table, int key, int qualifier, long timestamp) {
    return batch.add(
        table.getBytes(StandardCharsets.ISO_8859_1),
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
}
