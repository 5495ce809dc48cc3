package io.tsdbsuite.trigger.cluster;

import software.amazon.awssdk.services.emr.EmrClient;
import software.amazon.awssdk.services.emr.model.InstanceFleetType;
import software.amazon.awssdk.services.emr.model.InstanceState;

/**
 * Whether a cluster has lost instances of its task fleet: ended ones while the cluster runs, as
 * with spot capacity that EC2 takes back.
 */
public final class LostInstances {
  private final EmrClient client;

  /** Uses this client. */
  public LostInstances(EmrClient client) {
    this.client = client;
  }

  /**
   * Reads pages of ended instances until one has an instance.
   *
   * @param clusterId id of a cluster that has not been terminated
   */
  public boolean any(String clusterId) {
    return client
        .listInstancesPaginator(
            request ->
                request
                    .clusterId(clusterId)
                    .instanceFleetType(InstanceFleetType.TASK)
                    .instanceStates(InstanceState.TERMINATED))
        .stream()
        .anyMatch(page -> !page.instances().isEmpty());
  }
}
