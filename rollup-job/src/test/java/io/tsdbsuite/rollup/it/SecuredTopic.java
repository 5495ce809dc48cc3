package io.tsdbsuite.rollup.it;

import io.tsdbsuite.testkit.SecuredKafka;
import java.util.ArrayList;
import java.util.List;

/**
 * A topic on a broker that demands security.
 *
 * @param plain the same topic as the test itself reads it
 */
record SecuredTopic(RollupTopic plain) {
  /** One broker for all tests of a JVM; it dies with it. */
  private static final class Holder {
    private static final SecuredKafka KAFKA =
        SecuredKafka.start(TestFiles.directory("secured-kafka"));
  }

  static SecuredKafka kafka() {
    return Holder.KAFKA;
  }

  /** Makes a new topic. */
  static SecuredTopic create(String name) {
    kafka().server().createTopic(name, RollupTopic.PARTITIONS);
    return new SecuredTopic(new RollupTopic(kafka().server(), name));
  }

  /** Options of the job that rolls up the day of {@link SmallData} to this topic. */
  List<String> options(PreparedNode node, String bootstrap) {
    return options(List.of(node.options()), bootstrap);
  }

  /** The same with other options for the job's files. */
  List<String> options(List<String> files, String bootstrap) {
    List<String> options = new ArrayList<>();
    options.add("--snapshot-root=" + SharedStack.get().hbase().rootDir());
    options.add("--data-snapshot=" + SmallData.DATA_SNAPSHOT);
    options.add("--uid-snapshot=" + SmallData.UID_SNAPSHOT);
    options.addAll(files);
    options.addAll(List.of(SmallData.window(SmallData.FROM, SmallData.TO)));
    options.add("--kafka-bootstrap=" + bootstrap);
    options.add("--topic=" + plain.name());
    return options;
  }

  /** The job in this JVM. */
  JobRun job(PreparedNode node, String bootstrap) {
    return new JobRun(TestFiles.directory(plain.name()))
        .with(options(node, bootstrap).toArray(String[]::new));
  }
}
