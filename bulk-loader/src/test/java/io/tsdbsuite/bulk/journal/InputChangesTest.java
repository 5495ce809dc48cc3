package io.tsdbsuite.bulk.journal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.journal.JournalEvent.Input;
import java.util.List;
import org.junit.jupiter.api.Test;

class InputChangesTest {
  private static final Input A = new Input("a", 1, 0);
  private static final Input B = new Input("b", 2, 1000);

  @Test
  void sameInputIsSilence() {
    InputChanges.requireNone(List.of(A, B), List.of(new Input("a", 1, 0), B));
  }

  @Test
  void allDifferencesAreNamed() {
    assertThatThrownBy(
            () -> InputChanges.requireNone(List.of(A, B, A), List.of(A, new Input("b", 3, 1000))))
        .hasMessage(
            String.join(
                System.lineSeparator(),
                "the input must not change before a resume: file 2 was b of 2 bytes, changed last"
                    + " at 1970-01-01T00:00:01Z, found b of 3 bytes, changed last at"
                    + " 1970-01-01T00:00:01Z",
                "the input must not change before a resume: file 3 was a of 1 bytes, changed last"
                    + " at 1970-01-01T00:00:00Z, found not there"));
  }
}
