package io.tsdbsuite.query.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class QueryTasksTest {
  private final QueryContext context = new QueryContext(QueryLimits.NONE, () -> 0);
  private final List<String> told = new ArrayList<>();

  private Deferred<Object> call(Callable<Deferred<Object>> step) {
    context.onBroken(() -> told.add("broken"));
    return QueryTasks.call(Runnable::run, context, step);
  }

  @Test
  void aStepAnswersOrFails() throws Exception {
    assertThat(call(() -> Deferred.fromResult("answer")).join(1000)).isEqualTo("answer");
    assertThatThrownBy(
            () ->
                call(() -> {
                      throw new IllegalStateException("step");
                    })
                    .join(1000))
        .hasMessage("step");
    assertThat(context.aborted()).isNull();
  }

  @Test
  void anErrorBreaksTheQueryAlsoInWhatFollows() {
    Deferred<Object> result =
        call(() -> Deferred.fromResult("answer"))
            .addCallback(
                QueryTasks.guarded(
                    context,
                    answer -> {
                      throw new LinkageError("later");
                    }));
    assertThatThrownBy(() -> result.join(1000)).hasCauseInstanceOf(LinkageError.class);
    assertThat(context.aborted().reason()).isEqualTo(AbortReason.ERROR);
    assertThat(told).containsExactly("broken");
    QueryTasks.guard(
        context,
        () -> {
          throw new StackOverflowError("again");
        });
    assertThat(told).hasSize(2);
    assertThat(context.aborted()).hasMessageContaining("LinkageError: later");
  }

  @Test
  void anExecutorThatTakesNoTaskFailsTheStep() {
    Deferred<Object> result =
        QueryTasks.call(
            task -> {
              throw new RejectedExecutionException("full");
            },
            context,
            () -> Deferred.fromResult("answer"));
    assertThatThrownBy(() -> result.join(1000)).hasMessage("full");
  }

  @Test
  void withoutAThreadTheQueryIsBroken() {
    context.onBroken(() -> told.add("broken"));
    Deferred<Object> result =
        QueryTasks.call(
            task -> {
              throw new OutOfMemoryError("no thread");
            },
            context,
            () -> Deferred.fromResult("answer"));
    assertThatThrownBy(() -> result.join(1000)).hasCauseInstanceOf(OutOfMemoryError.class);
    assertThat(told).containsExactly("broken");
  }
}
