package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SingleFlushTest {
  private final List<Deferred<Object>> answers = new ArrayList<>();
  private boolean broken;
  private final SingleFlush flush = new SingleFlush(this::flush);

  private Deferred<Object> flush() {
    Deferred<Object> answer = new Deferred<>();
    answers.add(answer);
    if (broken) {
      throw new IllegalStateException("no client");
    }
    return answer;
  }

  @Test
  void waitsForTheAnswerOfTheLastOne() {
    flush.flush();
    flush.flush();
    assertThat(answers).hasSize(1);
    answers.get(0).callback(null);
    flush.flush();
    flush.flush();
    assertThat(answers).hasSize(2);
    answers.get(1).callback(new IllegalStateException("HBase failed"));
    flush.flush();
    assertThat(answers).hasSize(3);
  }

  @Test
  void aFlushThatThrowsHasNoAnswerToWaitFor() {
    broken = true;
    assertThatThrownBy(flush::flush).hasMessage("no client");
    broken = false;
    flush.flush();
    assertThat(answers).hasSize(2);
  }
}
