package io.tsdbsuite.bench.load;

import java.util.Map;
import java.util.Set;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;

/** METRICS, TAGKS, TAGVS and SLEEP of the environment, where the option is not given. */
final class EnvironmentDefaults implements IDefaultValueProvider {
  private static final Set<String> NAMES = Set.of("METRICS", "TAGKS", "TAGVS", "SLEEP");

  private final Map<String, String> environment;

  EnvironmentDefaults(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public String defaultValue(ArgSpec option) {
    // Options of these names carry them as labels.
    String name = option.paramLabel();
    return NAMES.contains(name) ? environment.get(name) : null;
  }
}
