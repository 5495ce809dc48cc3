package io.tsdbsuite.cluster;

/** Where YARN runs the driver: in spark-submit, or in a container. */
enum Mode {
  CLIENT,
  CLUSTER;

  /** As {@code --deploy-mode} names it. */
  String option() {
    return this == CLIENT ? "client" : "cluster";
  }
}
