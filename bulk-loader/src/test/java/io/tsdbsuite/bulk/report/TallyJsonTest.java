package io.tsdbsuite.bulk.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TallyJsonTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void comesBackAsItWas() throws IOException {
    Tally tally = new Tally();
    long n = Long.MAX_VALUE / 100;
    for (Count count : Count.values()) {
      tally.add(count, n++);
    }
    for (RejectReason reason : RejectReason.values()) {
      tally.reject(reason, n++);
    }
    tally.accept(0, 3);
    tally.accept(49_710, n);
    Tally back = TallyJson.read(MAPPER.readTree(TallyJson.write(tally).toString()));
    for (Count count : Count.values()) {
      assertThat(back.get(count)).isEqualTo(tally.get(count));
    }
    for (RejectReason reason : RejectReason.values()) {
      assertThat(back.rejected(reason)).isEqualTo(tally.rejected(reason));
    }
    assertThat(back.days()).isEqualTo(tally.days()).hasSize(2);
  }

  @Test
  void daysThatAreTakenBackAreGone() {
    Tally all = new Tally();
    all.accept(20_000, 5);
    all.accept(20_001, 2);
    Tally part = new Tally();
    part.accept(20_000, 5);
    part.accept(20_001, 1);
    all.subtract(part);
    assertThat(TallyJson.write(all)).hasToString("{\"acceptedByDay\":{\"2024-10-05\":1}}");
    assertThat(all.drain().days()).hasSize(1);
    assertThat(all.days()).isEmpty();
  }

  @Test
  void leavesOutZeros() {
    Tally tally = new Tally();
    assertThat(TallyJson.write(tally)).hasToString("{}");
    tally.add(Count.POINTS_READ, 3);
    tally.add(Count.LINES_READ, 0);
    tally.reject(RejectReason.BAD_VALUE, 1);
    assertThat(TallyJson.write(tally))
        .hasToString("{\"pointsRead\":3,\"rejected\":{\"badValue\":1}}");
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> TallyJson.read(MAPPER.readTree("{\"x\":1}")))
        .hasMessage("a tally must have known counts, found 'x'");
    assertThatThrownBy(() -> TallyJson.read(MAPPER.readTree("{\"rejected\":{\"y\":1}}")))
        .hasMessage("a tally must have known counts, found 'y'");
    assertThatThrownBy(() -> TallyJson.read(MAPPER.readTree("{\"pointsRead\":1.5}")))
        .hasMessage("a count must be an integer, found pointsRead 1.5");
    assertThatThrownBy(() -> TallyJson.read(MAPPER.readTree("{\"acceptedByDay\":{\"x\":1}}")))
        .hasMessage("a day must be a date, found 'x'");
  }
}
