package io.tsdbsuite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Kdc;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.access.Permission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * rollup-nightly with Kerberos. It has a ticket of kinit, the job has a keytab, both of user {@code
 * tsdb}, who may take snapshots but not read HBase's root; the exports are made by {@code hbase}.
 * It is verified against a TSD.
 */
@Tag("slow")
class NightlyKerberosIT {
  private static final Duration TICKET = Duration.ofHours(1);
  private static final Duration TOKEN = Duration.ofMinutes(10);

  private static ClusterStack stack;
  private static NightlyRuns runs;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    stack = ClusterStack.secured(WorkDirs.fresh("NightlyKerberosIT"), 2, TICKET, TOKEN, Map.of());
    Kdc kdc = stack.kdc();
    YarnSubmit submit =
        stack
            .submit(Mode.CLIENT, stack.directory("submit"))
            .with("--principal", "tsdb@" + Kdc.REALM, "--keytab", kdc.keytab("tsdb").toString());
    Path exporter = stack.directory("cache").resolve("hbase");
    kdc.kinit("hbase/localhost", "hbase", exporter);
    List<String> environment =
        List.of(
            "KRB5CCNAME=" + exporter, "JAVA_TOOL_OPTIONS=" + String.join(" ", stack.jvmFlags()));
    runs = new NightlyRuns(stack, "secured", submit, "/jobs", "/exports", environment);
    runs.set("verify.against", "tsd").set("verify.tsd", "http://127.0.0.1:" + runs.tsd().port());
    try (Admin admin = stack.hbase().master().connection().getAdmin()) {
      for (String table : List.of("data", "uid")) {
        ClusterStack.grant(admin, "tsdb", "secured-" + table, Permission.Action.ADMIN);
      }
      for (String interval : ClusterStack.INTERVALS) {
        ClusterStack.grant(
            admin, "tsdb", "secured-" + interval, Permission.Action.READ, Permission.Action.CREATE);
      }
    }
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void nights() throws Exception {
    Path cache = stack.directory("cache").resolve("tsdb");
    Program.Outcome without =
        runs.environment("KRB5CCNAME", cache.toString()).runAfter(NightlyRuns.FIRST, Duration.ZERO);
    assertThat(without.exitCode()).as(without.output()).isEqualTo(2);
    assertThat(without.output())
        .contains(
            "exit code 2; the cluster demands Kerberos: principal ",
            " has no Kerberos ticket, there is no " + cache + ", run kinit, or give");
    stack.kdc().kinit("tsdb", "tsdb", cache);
    runs.nights();
  }
}
