package io.tsdbsuite.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SeriesCountsTest {
  private final AtomicLong now = new AtomicLong(7);
  private final SeriesCounts counts = new SeriesCounts(now::get);
  private final List<Deferred<SeriesEstimate>> begun = new ArrayList<>();

  private Deferred<SeriesEstimate> count(String rows) {
    return counts.of(
        rows,
        () -> {
          begun.add(new Deferred<>());
          return begun.get(begun.size() - 1);
        });
  }

  @Test
  void queriesShareACountAndThoseOfTheNextMinuteUseIt() throws Exception {
    Deferred<SeriesEstimate> first = count("rows");
    Deferred<SeriesEstimate> second = count("rows");
    assertThat(begun).hasSize(1);
    count("others");
    assertThat(begun).hasSize(2);
    SeriesEstimate estimate = new SeriesEstimate(3, 3, 4, 5);
    begun.get(0).callback(estimate);
    assertThat(first.join(1)).isSameAs(estimate);
    assertThat(second.join(1)).isSameAs(estimate);
    now.addAndGet(60_000);
    assertThat(count("rows").join(1)).isSameAs(estimate);
    assertThat(begun).hasSize(2);
    now.incrementAndGet();
    count("rows");
    assertThat(begun).hasSize(3);
  }

  @Test
  void noRowsAndFailuresAreNotKept() throws Exception {
    Deferred<SeriesEstimate> none = count("rows");
    begun.get(0).callback(null);
    assertThat(none.join(1)).isNull();
    Deferred<SeriesEstimate> first = count("rows");
    Deferred<SeriesEstimate> second = count("rows");
    begun.get(1).callback(new IllegalStateException("HBase"));
    assertThatThrownBy(() -> first.join(1)).hasMessage("HBase");
    assertThatThrownBy(() -> second.join(1)).hasMessage("HBase");
    assertThatThrownBy(
            () ->
                counts
                    .of(
                        "rows",
                        () -> {
                          throw new IllegalArgumentException("scanner");
                        })
                    .join(1))
        .hasMessage("scanner");
    count("rows");
    assertThat(begun).hasSize(3);
  }

  @Test
  void aCountThatHasBegunLongAgoIsNotWaitedFor() throws Exception {
    Deferred<SeriesEstimate> lost = count("rows");
    now.addAndGet(60_001);
    Deferred<SeriesEstimate> next = count("rows");
    assertThat(begun).hasSize(2);
    // The old one comes at last: it answers its own query, and the new one is still shared.
    begun.get(0).callback(null);
    assertThat(lost.join(1)).isNull();
    Deferred<SeriesEstimate> shared = count("rows");
    assertThat(begun).hasSize(2);
    SeriesEstimate estimate = new SeriesEstimate(3, 3, 4, 5);
    begun.get(1).callback(estimate);
    assertThat(next.join(1)).isSameAs(estimate);
    assertThat(shared.join(1)).isSameAs(estimate);
  }
}
