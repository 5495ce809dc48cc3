package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What crashes leave behind: flushed data, and no processes. */
@Tag("slow")
class CrashIT {
  private static final long HOUR = 1_600_041_600L;

  @Test
  void hbaseStartsAgainAfterACrashUnderARunningTsd() throws IOException {
    try (Stack stack = Stack.in(WorkDirs.fresh("CrashIT-hbase")).tsd().start()) {
      List<DataPoint> points = List.of(new DataPoint("m", HOUR, 1L, Map.of("host", "a")));
      stack.tsd().client().put(points);
      stack.hbase().flush("tsdb");
      stack.hbase().flush("tsdb-uid");
      List<RawCell> before = stack.hbase().cells("tsdb");
      stack.hbase().kill();
      stack.hbase().start();
      assertThat(stack.hbase().cells("tsdb")).isEqualTo(before).hasSize(1);
      assertThat(stack.tsd().client().query(QuerySpec.of("m", HOUR, HOUR + 1))).hasSize(1);
      stack.hbase().kill();
      // close() must not wait for a TSD that waits for HBase.
    }
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void serversEndWithAParentThatIsKilled() throws IOException {
    Path work = WorkDirs.fresh("CrashIT-parent");
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName(),
                work.toString())
            .redirectError(work.resolve("parent.log").toFile())
            .start();
    try (BufferedReader out = parent.inputReader(StandardCharsets.UTF_8)) {
      long server = Long.parseLong(out.readLine());
      assertThat(ProcessHandle.of(server)).isPresent();
      parent.destroyForcibly();
      Await.until(
          "the end of the server",
          Duration.ofSeconds(30),
          () -> ProcessHandle.of(server).filter(ProcessHandle::isAlive).isEmpty());
    } finally {
      parent.destroyForcibly();
    }
  }

  /** Starts a server, says its process id, and waits to be killed. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] args) throws IOException {
      S3Server server = S3Server.start(Path.of(args[0]));
      System.out.println(server.pid());
      int end = System.in.read();
      server.stop();
      System.exit(end);
    }
  }
}
