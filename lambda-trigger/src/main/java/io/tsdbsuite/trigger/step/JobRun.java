package io.tsdbsuite.trigger.step;

import java.util.ArrayList;
import java.util.List;

/**
 * A command of rollup-job on AWS.
 *
 * @param name its name on the console
 * @param sparkOptions options of spark-submit, before the jar
 * @param jar location of the job's jar
 * @param arguments what follows the jar
 */
public record JobRun(String name, List<String> sparkOptions, String jar, List<String> arguments) {

  /** The whole command, arguments of command-runner.jar on an EMR cluster. */
  public List<String> command() {
    List<String> command = new ArrayList<>(List.of("spark-submit"));
    command.addAll(sparkOptions);
    command.add(jar);
    command.addAll(arguments);
    return List.copyOf(command);
  }
}
