package io.tsdbsuite.trigger.start;

import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.time.LocalDate;
import java.util.List;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.ExecutionAlreadyExistsException;

/**
 * Starts an execution of a state machine. Step Functions guarantees unique names: a second call
 * with the same name and input gets the first call's response while the execution runs, any other
 * call gets ExecutionAlreadyExists.
 */
public record StepFunctionsStarter(SfnClient client, String stateMachineArn, S3Location root)
    implements Starter {
  @Override
  public Outcome start(String name, WholeNight night, List<LocalDate> days) {
    String input = ExecutionInput.write(root, night, days);
    try {
      client.startExecution(
          request -> request.stateMachineArn(stateMachineArn).name(name).input(input));
      return Outcome.STARTED;
    } catch (ExecutionAlreadyExistsException e) {
      return Outcome.ALREADY_STARTED;
    }
  }
}
