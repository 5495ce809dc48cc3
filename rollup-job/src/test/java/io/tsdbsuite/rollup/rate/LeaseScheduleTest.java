package io.tsdbsuite.rollup.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaseScheduleTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long now = -7;

  private LeaseSchedule schedule(double perSecond) {
    return new LeaseSchedule(perSecond, () -> now);
  }

  /**
   * Tasks that send as fast as they may.
   *
   * @param answer nanoseconds from a task's request to its next one, beside the wait
   * @return permits used until {@code seconds} have passed
   */
  private long run(LeaseSchedule schedule, int tasks, double seconds, long answer) {
    long start = now;
    long[] free = new long[tasks];
    java.util.Arrays.fill(free, now);
    long used = 0;
    while (true) {
      int task = 0;
      for (int i = 1; i < tasks; i++) {
        task = free[i] < free[task] ? i : task;
      }
      now = Math.max(now, free[task]);
      Lease lease = schedule.lease(task);
      long sent = now + lease.waitNanos();
      if (sent - start > seconds * SECOND) {
        return used;
      }
      used += lease.permits();
      free[task] = sent + answer;
    }
  }

  @Test
  void reachesTheRateAndNeverExceedsItHoweverManyTasksRun() {
    for (double rate : new double[] {0.5, 3, 700, 50_000, 2_000_000}) {
      for (int tasks : new int[] {1, 2, 70, 1000}) {
        double seconds = Math.max(20, 3 * tasks / rate);
        long used = run(schedule(rate), tasks, seconds, TimeUnit.MILLISECONDS.toNanos(5));
        assertThat(used)
            .as("%s a second, %d tasks", rate, tasks)
            .isBetween((long) (0.95 * rate * seconds) - tasks, (long) (rate * seconds));
      }
    }
  }

  @Test
  void aTaskAloneHasTheWholeRate() {
    assertThat(schedule(1000).lease(1))
        .isEqualTo(new Lease(100, TimeUnit.MILLISECONDS.toNanos(100)));
  }

  @Test
  void anEndedTaskLeavesItsShareToTheOthers() {
    LeaseSchedule schedule = schedule(1000);
    run(schedule, 10, 2, 0);
    assertThat(schedule.lease(0).permits()).isEqualTo(10);
    now += 3 * SECOND;
    assertThat(schedule.lease(0).permits()).isEqualTo(100);
  }

  @Test
  void idleTimeGivesNoMoreThanASlice() {
    LeaseSchedule schedule = schedule(1000);
    schedule.lease(1);
    now += 3600 * SECOND;
    long used = run(schedule, 1, 1, 0);
    assertThat(used).isCloseTo(1100, within(100L));
    assertThat(used).isLessThanOrEqualTo(1100);
  }

  @Test
  void thousandsOfTasksAskNoMoreOftenThanTheDriverCanAnswer() {
    LeaseSchedule schedule = schedule(50_000);
    for (int task = 0; task < 10_000; task++) {
      assertThat(schedule.lease(task).permits()).isGreaterThanOrEqualTo(25);
    }
  }
}
