package io.tsdbsuite.trigger.start;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionResponse;
import software.amazon.awssdk.services.sfn.model.ExecutionDoesNotExistException;
import software.amazon.awssdk.services.sfn.model.ExecutionListItem;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;

/**
 * The executions of one state machine that run at this moment. Two that roll up one day at once
 * would write one report, and the rollups that stay could be those of the older snapshot; so the
 * younger one waits.
 */
public final class RunningExecutions {
  private static final String EXECUTION = ":execution:";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final SfnClient client;

  /** Over a client that is built already. */
  public RunningExecutions(SfnClient client) {
    this.client = client;
  }

  static boolean isExecution(String arn) {
    return arn.startsWith("arn:") && arn.contains(EXECUTION);
  }

  /**
   * The days of all that run and were started before an execution.
   *
   * @param execution ARN
   * @return name of an execution by day; those of an input that cannot be read run no day
   */
  public Map<LocalDate, String> startedBefore(String execution) {
    Instant start =
        client.describeExecution(request -> request.executionArn(execution)).startDate();
    String stateMachine =
        execution.substring(0, execution.lastIndexOf(':')).replace(EXECUTION, ":stateMachine:");
    Map<LocalDate, String> days = new HashMap<>();
    for (ExecutionListItem other :
        client
            .listExecutionsPaginator(
                request ->
                    request.stateMachineArn(stateMachine).statusFilter(ExecutionStatus.RUNNING))
            .executions()) {
      int order = other.startDate().compareTo(start);
      if (order < 0 || (order == 0 && other.executionArn().compareTo(execution) < 0)) {
        addDays(other, days);
      }
    }
    return Map.copyOf(days);
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
      // It has ended and was forgotten; or it fails at its own first task.
      return;
    }
  }
}
