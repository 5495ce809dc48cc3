package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberParserTest {
  @Test
  void aCountIsAWholeNumberFromOneOn() throws BadMessageException {
    assertThat(NumberParser.count("count", "1")).isEqualTo(1);
    assertThat(NumberParser.count("count", "60.0")).isEqualTo(60);
    assertThat(NumberParser.count("count", "9223372036854775807")).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "0.0", "1.5", "9223372036854775808"})
  void anythingElseIsABadValue(String text) {
    BadMessageException e =
        catchThrowableOfType(BadMessageException.class, () -> NumberParser.count("count", text));
    assertThat(e.reason()).isEqualTo(Reason.BAD_VALUE);
    assertThat(e).hasMessageContaining("count must be").hasMessageContaining("found " + text);
  }
}
