package io.tsdbsuite.trigger.start;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.core.pagination.sync.SdkIterable;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionResponse;
import software.amazon.awssdk.services.sfn.model.ExecutionDoesNotExistException;
import software.amazon.awssdk.services.sfn.model.ExecutionListItem;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;

/**
 * The running executions of one state machine. Two executions that roll up the same day at the same
 * time would write the same report, and the older snapshot's rollups could win; so the younger
 * execution waits.
 */
public record RunningExecutions(SfnClient client) {
  private static final String EXECUTION = ":execution:";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static boolean isExecution(String arn) {
    return arn.startsWith("arn:") && arn.contains(EXECUTION);
  }

  /**
   * The days of all running executions that were started before an execution.
   *
   * @param execution ARN
   * @return the name of an execution by day; executions with an unreadable input are ignored
   */
  public Map<LocalDate, String> startedBefore(String execution) {
    Instant start =
        client.describeExecution(request -> request.executionArn(execution)).startDate();
    Map<LocalDate, String> days = new HashMap<>();
    for (ExecutionListItem other : running(execution)) {
      int order = other.startDate().compareTo(start);
      if (order < 0 || (order == 0 && other.executionArn().compareTo(execution) < 0)) {
        addDays(other, days);
      }
    }
    return Map.copyOf(days);
  }

  /** Whether no other execution of the state machine is running. */
  public boolean isAlone(String execution) {
    return running(execution).stream().allMatch(other -> other.executionArn().equals(execution));
  }

  private SdkIterable<ExecutionListItem> running(String execution) {
    String stateMachine =
        execution.substring(0, execution.lastIndexOf(':')).replace(EXECUTION, ":stateMachine:");
    return client
        .listExecutionsPaginator(
            request -> request.stateMachineArn(stateMachine).statusFilter(ExecutionStatus.RUNNING))
        .executions();
  }

  private void addDays(ExecutionListItem execution, Map<LocalDate, String> days) {
    try {
      DescribeExecutionResponse description =
          client.describeExecution(request -> request.executionArn(execution.executionArn()));
      for (LocalDate day : ExecutionInput.read(MAPPER.readTree(description.input())).days()) {
        days.put(day, execution.name());
      }
    } catch (ExecutionDoesNotExistException
        | JsonProcessingException
        | IllegalArgumentException e) {
      // The execution has ended and was deleted, or it fails at its own first task.
      return;
    }
  }
}
