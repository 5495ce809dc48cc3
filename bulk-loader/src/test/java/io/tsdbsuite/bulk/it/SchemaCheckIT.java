package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TableDigest;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Into tables that a TSD has written nothing is loaded with another salt or other UID widths, and
 * no name is assigned.
 */
class SchemaCheckIT {
  private static final long BASE = 1_600_002_000L;
  private static final int HOSTS = 20;
  private static final String WIDTH = "--tsd.storage.uid.width.";
  private static final String METRIC = WIDTH + "metric=";
  private static final String TAGK = WIDTH + "tagk=";
  private static final String TAGV = WIDTH + "tagv=";
  private static final String SALT = "--tsd.storage.salt.width=";
  private static final String BUCKETS = "--tsd.storage.salt.buckets=";

  private Path dir;
  private Map<String, String> conf;
  private TsdServer tsd;
  private Path input;

  private void tables(String test, List<byte[]> splits, String... keysAndValues)
      throws IOException {
    dir = WorkDirs.fresh(test);
    conf = LoaderStack.conf(test, keysAndValues);
    tsd = LoaderStack.tsd(test, conf, splits);
    input = input("load.txt", "loaded.m");
  }

  private Path input(String file, String metric) throws IOException {
    String lines = "%s %s 1 host=h0\n%s %s 2 rack=r0\n".formatted(metric, BASE, metric, BASE);
    return Files.writeString(dir.resolve(file), lines);
  }

  private void store() {
    List<DataPoint> points = new ArrayList<>();
    for (int host = 0; host < HOSTS; host++) {
      for (int hour = 0; hour < 2; hour++) {
        points.add(new DataPoint("stored.m", BASE + 3600L * hour, 1L, Map.of("host", "h" + host)));
      }
    }
    tsd.client().put(points);
  }

  private Loader.Outcome run(String command, String work, Path input, String... options) {
    return run(Clock.systemUTC(), command, work, input, options);
  }

  private Loader.Outcome run(
      Clock clock, String command, String work, Path input, String... options) {
    List<String> arguments = new ArrayList<>(List.of(command, "--tsd-config=" + tsd.configFile()));
    if (!command.equals("plan")) {
      arguments.add("--work-dir=" + dir.resolve(work));
      arguments.add("--progress=none");
    }
    if (work.startsWith("hfile")) {
      arguments.add("--mode=hfile");
      arguments.add("--hfile-dir=" + LoaderStack.hfileDir(dir.resolve(work)));
    }
    arguments.addAll(List.of(options));
    if (!command.equals("generate")) {
      arguments.add("--input");
      arguments.add(input.toString());
    }
    return Loader.run(clock, arguments.toArray(String[]::new));
  }

  private List<TableDigest> digests() throws IOException {
    return List.of(
        LoaderStack.hbase().digest(conf.get("tsd.storage.hbase.data_table")),
        LoaderStack.hbase().digest(conf.get("tsd.storage.hbase.uid_table")));
  }

  /** Both modes refuse, with these words. */
  private void refused(String rule, String... options) throws IOException {
    List<TableDigest> before = digests();
    for (String mode : List.of("put", "hfile")) {
      Loader.Outcome outcome = run("load", mode, input, options);
      assertThat(outcome.code()).as(mode + List.of(options)).isEqualTo(ExitCode.USAGE);
      assertThat(outcome.err()).contains(rule);
      assertThat(dir.resolve(mode)).doesNotExist();
    }
    assertThat(digests()).as(String.valueOf(List.of(options))).isEqualTo(before);
  }

  private void theTsdsOwnLoads() throws IOException {
    assertThat(run("plan", "", input).out()).containsPattern("row keys +\\d+ of \\d+ looked at");
    for (String mode : List.of("put", "hfile")) {
      Path own = input(mode + ".txt", mode + ".m");
      Loader.Outcome loaded = run("load", mode, own);
      assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
      assertThat(Answers.of(tsd, QuerySpec.of(mode + ".m", BASE, BASE + 10)))
          .containsOnlyKeys("{host=h0}", "{rack=r0}");
    }
  }

  /** In one region, between rows of others, at which no TSD looks. */
  @Test
  void intoATableWithSalt() throws IOException {
    tables("schema-salt", List.of(), "tsd.storage.salt.width", "1");
    assertThat(run("plan", "", input).out())
        .containsPattern("row keys +none of 0 looked at proves salt and UID widths");
    store();
    List<RawCell> foreign = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      foreign.add(new RawCell(new byte[i], "t", new byte[2], 1, new byte[1]));
      foreign.add(
          new RawCell(
              ("zz" + i).getBytes(StandardCharsets.ISO_8859_1), "t", new byte[2], 1, new byte[1]));
    }
    LoaderStack.hbase().putCells(conf.get("tsd.storage.hbase.data_table"), foreign);

    refused("tsd.storage.salt.width must be 1, found 0: read so, row ", SALT + 0);
    refused("tsd.storage.salt.width must be 1, found 2: read so, row ", SALT + 2);
    refused("tsd.storage.salt.buckets must be 20, found 10: ", BUCKETS + 10);
    refused("tsd.storage.salt.buckets must be 20, found 40: ", BUCKETS + 40);
    refused("tsd.storage.uid.width.metric must be 3, found 4", METRIC + 4);
    refused("tsd.storage.salt.width must be 1, found 0; tsd.storage.uid", SALT + 0, METRIC + 4);
    refused("tsd.storage.uid.width.tagk must be 3, found 2", TAGK + 2);
    refused("tsd.storage.uid.width.tagv must be 3, found 4", TAGK + 2, TAGV + 4);
    for (String command : List.of("plan", "generate")) {
      List<TableDigest> before = digests();
      Loader.Outcome outcome = run(command, command, input, SALT + 0);
      assertThat(outcome.code()).as(command).isEqualTo(ExitCode.USAGE);
      assertThat(outcome.err()).contains("tsd.storage.salt.width must be 1, found 0");
      assertThat(digests()).isEqualTo(before);
    }
    theTsdsOwnLoads();
  }

  /** Behind empty regions. */
  @Test
  void intoATableWithUidsOfFourBytes() throws IOException {
    tables(
        "schema-wide",
        List.of(new byte[1], new byte[2], new byte[3], new byte[] {1}, new byte[] {2}),
        "tsd.storage.uid.width.metric",
        "4",
        "tsd.storage.uid.width.tagk",
        "4",
        "tsd.storage.uid.width.tagv",
        "4");
    store();
    refused("tsd.storage.salt.width must be 0, found 1: read so, row ", SALT + 1);
    refused("tsd.storage.uid.width.metric must be 4, found 3", METRIC + 3);
    refused("tsd.storage.uid.width.tagk must be 4, found 3", TAGK + 3, TAGV + 5);
    refused("tsd.storage.uid.width.tagv must be 4, found 3", METRIC + 3, TAGK + 3, TAGV + 3);
    theTsdsOwnLoads();
  }

  /** Nothing told of the salt when this load began. */
  @Test
  void aResumeLooksToo() throws IOException {
    tables("schema-resume", List.of(), "tsd.storage.salt.width", "1");
    StepClock clock =
        new StepClock(
            dir.resolve("work"),
            "ReadDone",
            0,
            () -> {
              throw new IllegalStateException("of the test");
            });
    Loader.Outcome failed = run(clock, "load", "work", input, SALT + 0);
    assertThat(failed.code()).as(failed.err()).isEqualTo(ExitCode.DEFECT);
    store();
    List<TableDigest> before = digests();
    Loader.Outcome resumed =
        Loader.run("resume", "--work-dir=" + dir.resolve("work"), "--progress=none");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.USAGE);
    assertThat(resumed.err()).contains("tsd.storage.salt.width must be 1, found 0");
    assertThat(digests()).isEqualTo(before);
  }
}
