package io.tsdbsuite.bench.load;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;

/** Takes the defaults of options from METRICS, TAGKS, TAGVS and SLEEP in the environment. */
final class EnvironmentDefaults implements IDefaultValueProvider {
  private static final Set<String> NAMES = Set.of("METRICS", "TAGKS", "TAGVS", "SLEEP");

  private final Map<String, String> environment;

  EnvironmentDefaults(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec option) {
    // The label of such an option is the name of its variable.
    String name = option.paramLabel();
    return NAMES.contains(name) ? environment.get(name) : null;
  }
}
