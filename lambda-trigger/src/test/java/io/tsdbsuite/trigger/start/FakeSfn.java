package io.tsdbsuite.trigger.start;

import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionRequest;
import software.amazon.awssdk.services.sfn.model.DescribeExecutionResponse;
import software.amazon.awssdk.services.sfn.model.ExecutionDoesNotExistException;
import software.amazon.awssdk.services.sfn.model.ExecutionListItem;
import software.amazon.awssdk.services.sfn.model.ExecutionStatus;
import software.amazon.awssdk.services.sfn.model.ListExecutionsRequest;
import software.amazon.awssdk.services.sfn.model.ListExecutionsResponse;
import software.amazon.awssdk.services.sfn.paginators.ListExecutionsIterable;

/** Running executions of one state machine, listed one a page; integration tests have moto's. */
public final class FakeSfn implements SfnClient {
  private static final String MACHINE = "arn:aws:states:us-east-1:0:stateMachine:rollup";

  private record Execution(Instant start, String input) {}

  private final NavigableMap<String, Execution> executions = new TreeMap<>();

  /** ARN of an execution. */
  public static String arn(String name) {
    return "arn:aws:states:us-east-1:0:execution:rollup:" + name;
  }

  /** An execution that runs. */
  public void add(String name, Instant start, String input) {
    executions.put(name, new Execution(start, input));
  }

  public void end(String name) {
    executions.remove(name);
  }

  @Override
  public ListExecutionsResponse listExecutions(ListExecutionsRequest request) {
    if (!request.stateMachineArn().equals(MACHINE)
        || request.statusFilter() != ExecutionStatus.RUNNING) {
      throw new IllegalArgumentException(request.toString());
    }
    String name =
        request.nextToken() == null
            ? executions.firstKey()
            : executions.higherKey(request.nextToken());
    return ListExecutionsResponse.builder()
        .executions(
            ExecutionListItem.builder()
                .name(name)
                .executionArn(arn(name))
                .startDate(executions.get(name).start)
                .build())
        .nextToken(name.equals(executions.lastKey()) ? null : name)
        .build();
  }

  @Override
  public ListExecutionsIterable listExecutionsPaginator(ListExecutionsRequest request) {
    return new ListExecutionsIterable(this, request);
  }

  @Override
  public DescribeExecutionResponse describeExecution(DescribeExecutionRequest request) {
    Execution execution = executions.get(request.executionArn().substring(arn("").length()));
    if (execution == null) {
      throw ExecutionDoesNotExistException.builder().message(request.executionArn()).build();
    }
    return DescribeExecutionResponse.builder()
        .startDate(execution.start)
        .input(execution.input)
        .build();
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}
}
