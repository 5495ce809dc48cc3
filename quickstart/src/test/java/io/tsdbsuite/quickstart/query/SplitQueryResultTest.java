package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.quickstart.query.SplitQueryResult.Bucket;
import io.tsdbsuite.quickstart.query.SplitQueryResult.BucketState;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitQueryResultTest {
  private static final long HOUR = 3600;

  @Test
  void tellsWhatBecameOfAnHour() {
    assertThat(new Bucket(0, 5, List.of(5.0)).state()).isEqualTo(BucketState.EQUAL);
    assertThat(new Bucket(0, 5, List.of(5.0, 5.0)).state()).isEqualTo(BucketState.TWICE);
    assertThat(new Bucket(0, 5, List.of(4.0, 5.0)).state()).isEqualTo(BucketState.PARTIAL);
    assertThat(new Bucket(0, 5, List.of()).state()).isEqualTo(BucketState.MISSING);
    assertThat(new Bucket(0, 5, List.of(5.0, 4.0)).state()).isEqualTo(BucketState.DIFFERENT);
    assertThat(new Bucket(0, Double.NaN, List.of(4.0)).state()).isEqualTo(BucketState.DIFFERENT);
  }

  @Test
  void anHourThatIsLostOrWrongIsAnErrorAndOneThatIsThereTwiceIsNot() {
    SplitQueryResult split =
        new SplitQueryResult(
            2 * HOUR + 5,
            List.of(
                new Bucket(0, 1, List.of(1.0)),
                new Bucket(HOUR, 1, List.of()),
                new Bucket(2 * HOUR, 1, List.of(1.0, 1.0)),
                new Bucket(3 * HOUR, 1, List.of(2.0))),
            "");

    assertThat(split.errors()).isEqualTo(2);
    assertThat(split.count(BucketState.MISSING)).isEqualTo(1);
    assertThat(split.unequal()).hasSize(3);
  }
}
