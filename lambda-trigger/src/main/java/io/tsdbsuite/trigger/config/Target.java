package io.tsdbsuite.trigger.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is started. */
public enum Target {
  /** An execution of a state machine of AWS Step Functions. */
  STEP_FUNCTIONS,
  /** An activation of a pipeline of AWS Data Pipeline, which is closed to new customers. */
  DATA_PIPELINE;

  /** As the variable TARGET is written: {@code step-functions}. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The target of this name.
   *
   * @throws IllegalArgumentException with the rule
   */
  static Target parse(String text) {
    return Arrays.stream(values())
        .filter(target -> target.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "must be "
                        + Arrays.stream(values())
                            .map(Target::text)
                            .collect(Collectors.joining(" or "))));
  }
}
