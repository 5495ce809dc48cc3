package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.ToolRun;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the commands of docs/migrate.md over output of the tools that the page names. */
class MigratePageIT {
  private static final Path PAGE = Path.of("../docs/migrate.md");
  private static final Path SAMPLES = Path.of("src/test/resources/migrate");

  /** Time of the first points, milliseconds since the epoch. */
  private static final long FIRST = 1_600_000_000_000L;

  /** Time span of all samples, seconds since the epoch. */
  private static final long FROM = 1_599_999_000;

  private static final long TO = 1_601_000_000;

  private static TsdServer tsd;

  @BeforeAll
  static void start() {
    tsd = LoaderStack.tsd("migrate", LoaderStack.conf("migrate"));
  }

  /** The commands of a section, without the program. */
  private static List<List<String>> commands(String section) throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.equals("## " + section))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("bulk-loader "))
        .map(line -> List.of(line.split(" +")))
        .map(words -> words.subList(1, words.size()))
        .toList();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        if (!file.getFileName().toString().equals("README.md")) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    }
  }

  /**
   * Leaves only the first event of a load in its journal, as if it had been killed while it read
   * its input, and resumes it: it compares the input with that of the start.
   */
  private static void resume(Path work) throws IOException {
    Path journal = work.resolve("journal");
    Files.write(journal, Files.readAllLines(journal).subList(0, 1));
    Loader.Outcome resumed = Loader.run("resume", "--work-dir=" + work, "--progress=none");
    assertThat(resumed.code()).as(resumed.out() + resumed.err()).isEqualTo(ExitCode.DONE);
  }

  /**
   * Runs plan, load and verify of a section, with names relative to the working directory as on the
   * page; resumes the load. Returns the counts of the load before that.
   */
  private static JsonNode migrate(String section, Path dir, Path config) throws IOException {
    List<List<String>> commands = commands(section);
    assertThat(commands)
        .extracting(words -> words.get(0))
        .containsExactly("plan", "load", "verify");
    JsonNode counts = NullNode.getInstance();
    for (List<String> command : commands) {
      List<String> arguments = new ArrayList<>();
      for (String word : command) {
        if (word.equals("opentsdb.conf")) {
          arguments.add(config.toString());
        } else {
          Path here = Path.of("").toAbsolutePath();
          arguments.add(
              word.endsWith("/")
                  ? here.relativize(dir.resolve(word).toAbsolutePath()).toString()
                  : word);
        }
      }
      if (!command.get(0).equals("plan")) {
        arguments.add(1, "--work-dir=" + dir.resolve("work-" + command.get(0)));
        arguments.add(1, "--progress=none");
      }
      Loader.Outcome outcome = Loader.run(arguments.toArray(String[]::new));
      assertThat(outcome.code())
          .as(section + ": " + command.get(0) + "\n" + outcome.out() + outcome.err())
          .isEqualTo(ExitCode.DONE);
      if (command.get(0).equals("load")) {
        counts = counts(dir);
        resume(dir.resolve("work-load"));
      }
    }
    return counts;
  }

  private static JsonNode counts(Path dir) throws IOException {
    Path report = dir.resolve("work-load").resolve("report.json");
    return new ObjectMapper().readTree(report.toFile()).get("counts");
  }

  private static JsonNode migrate(String section) throws IOException {
    String name = section.toLowerCase(Locale.ROOT);
    Path dir = WorkDirs.fresh("migrate-" + name);
    copy(SAMPLES.resolve(name), dir.resolve(name));
    return migrate(section, dir, tsd.configFile());
  }

  private static void books(JsonNode counts, long read, long written, Map<String, Long> skipped) {
    assertThat(counts.get("pointsRead").longValue()).isEqualTo(read);
    assertThat(counts.get("pointsWritten").longValue()).isEqualTo(written);
    assertThat(counts.get("pointsRejected").longValue()).isZero();
    Map<String, Long> found = new TreeMap<>();
    counts
        .get("skipped")
        .properties()
        .forEach(
            kind -> {
              if (kind.getValue().longValue() > 0) {
                found.put(kind.getKey(), kind.getValue().longValue());
              }
            });
    assertThat(found).isEqualTo(skipped);
  }

  /** What the TSD answers for the only series of a metric with these tags. */
  private static SortedMap<Long, Double> answer(String metric, String... tags) {
    QuerySpec query = QuerySpec.of(metric, FROM, TO);
    for (int i = 0; i < tags.length; i += 2) {
      query = query.tag(tags[i], tags[i + 1]);
    }
    Map<String, SortedMap<Long, Double>> answers = Answers.of(tsd, query);
    assertThat(answers).hasSize(1);
    return answers.values().iterator().next();
  }

  @Test
  void influx() throws IOException {
    books(migrate("InfluxDB"), 480, 360, Map.of("strings", 60L, "booleans", 60L));
    SortedMap<Long, Double> user = answer("cpu.usage_user", "host", "web_01", "cpu", "cpu-total");
    assertThat(user).hasSize(60).containsEntry(FIRST + 590_123, 59.0);
    assertThat(user.firstKey()).isEqualTo(FIRST + 123);
    assertThat(answer("cpu.usage_idle")).containsEntry(FIRST + 10_123, 91.5);
    assertThat(answer("disk.free", "path", "C_")).containsEntry(FIRST + 590_123, 1e12 + 59);
    assertThat(answer("requests", "uri", "/a_b_c")).hasSize(60);
    assertThat(answer("system.load1")).containsEntry(FIRST + 590_123, 0.59);
  }

  @Test
  void prometheus() throws IOException {
    books(migrate("Prometheus"), 201, 195, Map.of("nan", 4L, "infinities", 2L));
    assertThat(answer("job_errors_total", "source", "prometheus")).containsEntry(FIRST + 123, 7.0);
    assertThat(answer("node_load1", "instance", "web01_9100", "job", "node"))
        .hasSize(40)
        .containsEntry(FIRST + 15_123, 0.25);
    assertThat(answer("job_up_sum")).hasSize(36);
    assertThat(answer("backup_age", "path", "/var/my_files")).hasSize(38);
    assertThat(answer("http_request_seconds_bucket", "le", "_Inf"))
        .containsEntry(FIRST + 15_123, 2.0);
  }

  @Test
  void victoriaMetrics() throws IOException {
    books(migrate("VictoriaMetrics"), 85, 82, Map.of("stale", 1L, "infinities", 2L));
    assertThat(answer("job_errors_total", "source", "victoriametrics"))
        .containsEntry(FIRST + 123, 7.0);
    assertThat(answer("vm_load1", "instance", "web01_9100", "job", "node"))
        .hasSize(40)
        .containsEntry(FIRST + 15_123, 0.25);
    assertThat(answer("up", "job", "node__a_", "instance", "web02_9100")).hasSize(38);
    assertThat(answer("up", "instance", "web03_9100")).hasSize(2);
  }

  @Test
  void graphite() throws IOException {
    books(migrate("Graphite"), 99, 99, Map.of());
    assertThat(answer("servers.web01.cpu", "source", "graphite"))
        .hasSize(49)
        .containsEntry(FIRST + 5_600_000, 0.25);
    assertThat(answer("servers.web01.disk_used")).hasSize(49);
    assertThat(answer("servers.web01.load", "rack", "a1", "dc", "ams", "source", "graphite"))
        .containsEntry(FIRST + 2_000_000, 0.5);
  }

  @Test
  void anotherOpenTsdb() throws IOException {
    Map<String, String> tags = Map.of("host", "web01");
    List<DataPoint> points = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      long time = FIRST / 1000 + 60L * i;
      Number value = i % 2 == 0 ? (Number) (long) i : (Number) (i * 0.1);
      points.add(new DataPoint("sys.cpu.user", i % 3 == 0 ? time * 1000 + 5 : time, value, tags));
    }
    tsd.client().put(points);
    ToolRun scan =
        tsd.tool("DumpSeries", "--import", "2020/09/01", "2020/10/01", "sum", "sys.cpu.user");
    List<String> lines =
        scan.output().lines().filter(line -> line.startsWith("sys.cpu.user ")).toList();
    Path dir = WorkDirs.fresh("migrate-opentsdb");
    Files.write(Files.createDirectories(dir.resolve("opentsdb")).resolve("sys.cpu.user"), lines);
    TsdServer other = LoaderStack.tsd("migrate-new", LoaderStack.conf("migrate-new"));
    books(migrate("Another OpenTSDB", dir, other.configFile()), 100, 100, Map.of());
    QuerySpec all = QuerySpec.of("sys.cpu.user", FROM, TO);
    assertThat(Answers.of(other, all)).isEqualTo(Answers.of(tsd, all));
    assertThat(Answers.of(other, all).values().iterator().next()).hasSize(100);
  }
}
