package io.tsdbsuite.trigger.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of NightCheckHandler.
 *
 * @param backup snapshots and reports
 * @param startsOnMarker START_ON: whether nights start on the exporter's marker (MARKER, the
 *     default) rather than on the files of the snapshots (MANIFESTS)
 * @param namespace METRICS_NAMESPACE
 */
public record NightSettings(BackupSettings backup, boolean startsOnMarker, String namespace) {
  private static final String MANIFESTS = "MANIFESTS";

  /**
   * Reads the environment.
   *
   * @throws ConfigurationException with all problems
   */
  public static NightSettings read(Map<String, String> environment) {
    EnvironmentReader variables = new EnvironmentReader(environment);
    Optional<BackupSettings> backup = BackupSettings.read(variables);
    String startOn = variables.text("START_ON");
    if (!List.of("", "MARKER", MANIFESTS).contains(startOn)) {
      variables.problem("START_ON", "must be MARKER or MANIFESTS", startOn);
    }
    String namespace = variables.required("METRICS_NAMESPACE");
    return new NightSettings(variables.complete(backup), !startOn.equals(MANIFESTS), namespace);
  }
}
