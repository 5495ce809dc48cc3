package io.tsdbsuite.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoadMainTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochSecond(1_763_510_400L), ZoneOffset.UTC);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Simulated time, which advances only during waits. */
  private static final class FakeTicks implements Ticks {
    private final AtomicLong now = new AtomicLong();

    @Override
    public long nanos() {
      return now.get();
    }

    @Override
    public void waitUntil(long end, BooleanSupplier stop) {
      long unused = now.accumulateAndGet(end, Math::max);
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void sendsAllRoundsAndClosesItsBooks(Protocol protocol) throws Exception {
    try (FakeTsd tsd = new FakeTsd()) {
      int code =
          run(
              Map.of(),
              "--tsd=" + tsd.address(),
              "--protocol=" + protocol,
              "--metrics=1",
              "--tagvs=30",
              "--connections=2",
              "--batch=7",
              "--rounds=3");

      assertThat(err.toString()).isEmpty();
      assertThat(code).isEqualTo(LoadMain.DONE);
      assertThat(out.toString()).contains("sent 2,715 = accepted 2,715 + failed 0");
      String all = String.join("\n", tsd.received);
      for (long timestamp : new long[] {1_763_510_400L, 1_763_510_402L, 1_763_510_404L}) {
        assertThat(all.split(Long.toString(timestamp), -1)).hasSize(905 + 1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void countsWhatTheTsdRefuses(Protocol protocol) throws Exception {
    try (FakeTsd tsd = new FakeTsd()) {
      int code =
          run(
              Map.of(),
              "--tsd=" + tsd.address(),
              "--protocol=" + protocol,
              "--metrics=2",
              "--rounds=2");

      assertThat(code).isEqualTo(LoadMain.REFUSED);
      assertThat(out.toString()).contains("sent 26 = accepted 18 + failed 8");
      assertThat(err.toString()).contains(tsd.address() + " answered ");
    }
  }

  @Test
  void aTsdThatHangsUpIsToldAndTheBooksClose() throws Exception {
    try (FakeTsd tsd = new FakeTsd("load.metric.3", "")) {
      int code = run(Map.of(), "--tsd=" + tsd.address(), "--metrics=5", "--rounds=1");

      assertThat(code).isEqualTo(LoadMain.OUTSIDE);
      assertThat(out.toString()).contains("sent 25 = accepted 0 + failed 25");
      assertThat(err.toString()).contains("load-generator: ");
    }
  }

  @Test
  void anAnswerWithoutSummaryRefusesTheBatch() throws Exception {
    try (FakeTsd tsd =
        new FakeTsd("nothing", "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nlarge")) {
      int code =
          run(Map.of(), "--tsd=" + tsd.address(), "--protocol=http", "--metrics=1", "--rounds=1");

      assertThat(code).isEqualTo(LoadMain.REFUSED);
      assertThat(out.toString()).contains("sent 9 = accepted 0 + failed 9");
      assertThat(err.toString()).contains("HTTP/1.1 413 Too Large large");
    }
  }

  @Test
  void booksThatDoNotCloseAreAnError() throws Exception {
    String summary = "{\"success\":1,\"failed\":0}";
    try (FakeTsd tsd =
        new FakeTsd(
            "nothing",
            "HTTP/1.1 200 OK\r\ncontent-length: " + summary.length() + "\r\n\r\n" + summary)) {
      int code =
          run(Map.of(), "--tsd=" + tsd.address(), "--protocol=http", "--metrics=1", "--rounds=1");

      assertThat(code).isEqualTo(LoadMain.OUTSIDE);
      assertThat(err.toString()).contains("the books do not close");
    }
  }

  @Test
  void aTsdThatIsNotThereIsNamed() throws Exception {
    String nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = "127.0.0.1:" + socket.getLocalPort();
    }

    assertThat(run(Map.of(), "--tsd=" + nobody)).isEqualTo(LoadMain.OUTSIDE);
    assertThat(err.toString()).contains("no connection to the TSD " + nobody);
  }

  @Test
  void theEnvironmentHasTheDefaults() throws Exception {
    try (FakeTsd tsd = new FakeTsd()) {
      Map<String, String> environment =
          Map.of("METRICS", "1", "TAGKS", "3", "TAGVS", "2", "SLEEP", "0.5");

      assertThat(run(environment, "--tsd=" + tsd.address(), "--rounds=1", "--tagks=1"))
          .isEqualTo(LoadMain.DONE);

      assertThat(tsd.received)
          .contains(
              "put loadtest.metrics 1763510400000 1 generator=load-generator",
              "put loadtest.tagks 1763510400000 1 generator=load-generator",
              "put loadtest.sleep 1763510400000 0.500 generator=load-generator")
          .hasSize(2 + 5);
    }
  }

  @Test
  void tellsAllProblemsAtOnce() throws Exception {
    int code =
        run(
            Map.of("TAGVS", "many"),
            "--tsd=tsd1,tsd2:4242",
            "--metrics=0",
            "--tagks=9",
            "--sleep=soon",
            "--batch=0",
            "--rounds=0",
            "--unknown");

    assertThat(code).isEqualTo(LoadMain.USAGE);
    assertThat(err.toString())
        .contains("--tsd must be host:port[,host:port...], port 1 to 65535, found tsd1\n")
        .contains("--metrics must be 1 to 1000000, found 0\n")
        .contains("--tagks must be 1 to 8, found 9\n")
        .contains("--batch must be 1 to 10000, found 0\n")
        .contains("--rounds must be at least 1, found 0\n")
        .contains("found soon")
        .contains("'many'")
        .contains("--unknown")
        .endsWith("Nothing was sent. --help lists the options.\n");
  }

  @Test
  void aMisspelledOptionIsNotTheValueOfTheOptionBefore() throws Exception {
    assertThat(run(Map.of(), "--tsd", "--metrisc")).isEqualTo(LoadMain.USAGE);
    assertThat(err.toString()).contains("--metrisc").endsWith("--help lists the options.\n");
  }

  @Test
  void refusesMoreSeriesThanItCanName() throws Exception {
    assertThat(run(Map.of(), "--metrics=1000", "--tagks=3", "--tagvs=1000"))
        .isEqualTo(LoadMain.USAGE);
    assertThat(err.toString()).contains("must be at most 100000000 series, found 1000 x 1000^3");
  }

  @Test
  void hasHelp() throws Exception {
    assertThat(run(Map.of(), "--help")).isEqualTo(LoadMain.DONE);
    assertThat(out.toString()).contains("--sleep", "Exit codes:");
  }

  private int run(Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    return new LoadMain(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            environment,
            CLOCK,
            new FakeTicks())
        .run(args);
  }
}
