package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the commands do with good and bad input, as a user sees it. */
class CommandsIT {
  private static final String GOOD = "ok.m 1600000000 1 host=a\nok.m 1600000060 2.5 host=a\n";

  private Path dir;
  private Path config;
  private Map<String, String> conf;

  private void tables(String test, String... keysAndValues) {
    dir = WorkDirs.fresh(test);
    conf = LoaderStack.conf(test, keysAndValues);
    config = LoaderStack.configFile(test, conf);
  }

  private Path input(String name, String lines) throws IOException {
    return Files.writeString(dir.resolve(name), lines);
  }

  private Loader.Outcome run(String command, Path input, String work, String... more) {
    List<String> arguments = new ArrayList<>();
    arguments.add(command);
    arguments.add("--tsd-config=" + config);
    if (work != null) {
      arguments.add("--work-dir=" + dir.resolve(work));
      arguments.add("--progress=none");
    }
    arguments.addAll(List.of(more));
    arguments.add("--input");
    arguments.add(input.toString());
    return Loader.run(arguments.toArray(String[]::new));
  }

  private static long count(String table, String name) {
    Matcher line = Pattern.compile("^.*" + name + " +([\\d,]+)$", Pattern.MULTILINE).matcher(table);
    assertThat(line.find()).as("%s in %s", name, table).isTrue();
    return Long.parseLong(line.group(1).replace(",", ""));
  }

  private int cells() throws IOException {
    return LoaderStack.hbase().cells(conf.get("tsd.storage.hbase.data_table")).size();
  }

  @Test
  void badLinesStopTheLoadBeforeAnythingIsWritten() throws IOException {
    tables("bad-lines");
    Path file = input("in.txt", GOOD + "ok.m yesterday 1 host=a\nok.m 1600000120 NaN host=a\n");
    Loader.Outcome stopped = run("load", file, "work");
    assertThat(stopped.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(stopped.err())
        .contains("--max-rejected")
        .contains("found so far 2: 1 badTimestamp, 1 badValue")
        .contains("no point was written");
    for (String sample : List.of("in.txt:3 badTimestamp", "in.txt:4 badValue")) {
      assertThat((stopped.out() + stopped.err()).split(sample, -1)).as(sample).hasSize(2);
    }
    assertThat(count(stopped.out(), "points read")).isEqualTo(4);
    assertThat(count(stopped.out(), "- rejected")).isEqualTo(2);
    assertThat(cells()).isZero();

    Loader.Outcome loaded = run("load", file, "work", "--max-rejected=2");
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    assertThat(cells()).isEqualTo(1);
    Path rejected = dir.resolve("work").resolve("rejected.txt");
    Path corrected =
        input(
            "corrected.txt",
            Files.readString(rejected).replace("yesterday", "1600000180").replace("NaN", "3"));
    Loader.Outcome rest = run("load", corrected, "work2");
    assertThat(rest.code()).as(rest.err()).isEqualTo(ExitCode.DONE);
    assertThat(run("verify", corrected, "verify").code()).isEqualTo(ExitCode.DONE);
    // The second cell of the row has the two new points.
    assertThat(cells()).isEqualTo(2);
  }

  @Test
  void dryRunsCheckAndWriteNothing() throws IOException {
    tables("dry-run");
    Path file = input("in.txt", GOOD + "ok.m 1600000000 7 host=a\n");
    Loader.Outcome refused = run("load", file, "work", "--dry-run");
    assertThat(refused.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(refused.out()).contains("a load would stop").contains("Nothing was written");
    Loader.Outcome planned = run("load", file, "work", "--dry-run", "--on-conflict=last");
    assertThat(planned.code()).as(planned.err()).isEqualTo(ExitCode.DONE);
    Loader.Outcome verify = run("verify", file, "work", "--dry-run");
    assertThat(verify.code()).as(verify.err()).isEqualTo(ExitCode.DONE);
    assertThat(verify.out())
        .contains("input              1 files")
        .contains("dry run            nothing was compared, nothing was written");
    Loader.Outcome generate =
        Loader.run(
            "generate",
            "--tsd-config=" + config,
            "--work-dir=" + dir.resolve("work"),
            "--sensors=2",
            "--every=1m",
            "--span=1h",
            "--dry-run");
    assertThat(generate.code()).as(generate.err()).isEqualTo(ExitCode.DONE);
    assertThat(generate.out())
        .contains("points             120 points")
        .contains("dry run            nothing was read into the work directory");
    Loader.Outcome text =
        Loader.run("generate", "--output=" + dir.resolve("text"), "--span=1h", "--dry-run");
    assertThat(text.code()).as(text.err()).isEqualTo(ExitCode.DONE);
    assertThat(dir.resolve("work")).doesNotExist();
    assertThat(dir.resolve("text")).doesNotExist();
    assertThat(cells()).isZero();

    // A load that a stored value has stopped: the dry run of its resume leaves it as it is.
    assertThat(run("load", input("good.txt", GOOD), "good").code()).isEqualTo(ExitCode.DONE);
    Path other = input("other.txt", "ok.m 1600000000 8 host=a\n");
    assertThat(run("load", other, "stopped").code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run("load", other, "stopped", "--dry-run").err()).contains("resume it");
    String[] resume = {
      "resume", "--work-dir=" + dir.resolve("stopped"), "--on-conflict=last", "--progress=none"
    };
    String[] dry = Arrays.copyOf(resume, resume.length + 1);
    dry[resume.length] = "--dry-run";
    Path journal = dir.resolve("stopped/journal");
    byte[] before = Files.readAllBytes(journal);
    Loader.Outcome preview = Loader.run(dry);
    assertThat(preview.code()).as(preview.err()).isEqualTo(ExitCode.DONE);
    assertThat(preview.out())
        .contains("input              has been read")
        .contains("rows               are written further");
    assertThat(journal).hasBinaryContent(before);
    assertThat(cells()).isEqualTo(1);
    Loader.Outcome resumed = Loader.run(resume);
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void aLoadStoppedByCtrlCSaysHowToResume() throws Exception {
    tables("interrupted");
    StringBuilder hours = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      hours.append("ok.m ").append(1_600_000_000 + 3600L * i).append(" 1 host=a\n");
    }
    Path file = input("hours.txt", hours.toString());
    Path work = dir.resolve("work");
    LoaderProcess load =
        LoaderProcess.start(
            dir,
            dir.resolve("log"),
            List.of(
                "load",
                "--tsd-config=" + config,
                "--work-dir=" + work,
                "--progress=none",
                "--max-rows-per-second=1",
                "--input",
                file.toString()));
    // The first event names all that a resume needs.
    Path journal = work.resolve("journal");
    Await.until(
        "an event in " + journal,
        Duration.ofMinutes(5),
        () -> !load.isAlive() || (Files.exists(journal) && Files.size(journal) > 0));
    load.interrupt();
    assertThat(load.log()).contains("continue with: bulk-loader resume --work-dir " + work);
    Loader.Outcome resumed =
        Loader.run("resume", "--work-dir=" + work, "--progress=none", "--max-rows-per-second=0");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.DONE);
  }

  /** Lines of each format: a good one, one that cannot be parsed, one whose hour is refused. */
  private static Map<String, List<String>> formats(long now) {
    return Map.of(
        "opentsdb",
            List.of(
                "again.m 1600000000 1 host=a",
                "again.m 1600000060 BAD host=a",
                "again.m " + now + " 3 host=a"),
        "json",
            List.of(
                object("1600000000", "1"), object("1600000060", "\"BAD\""), object("" + now, "3")),
        "influx",
            List.of(
                "again.m,host=a value=1i 1600000000000000000",
                "again.m,host=a value=BAD,x=BAD 1600000060000000000",
                "again.m,host=a value=3i " + now + "000000000"),
        "prometheus",
            List.of(
                "again{host=\"a\"} 1 1600000000000",
                "again{host=\"a\"} BAD 1600000060000",
                "again{host=\"a\"} 3 " + now + "000"),
        "openmetrics",
            List.of(
                "again{host=\"a\"} 1 1600000000",
                "again{host=\"a\"} BAD 1600000060",
                "again{host=\"a\"} 3 " + now),
        "victoriametrics",
            List.of(
                series("1", "1600000000000"),
                series("BAD", "1600000060000"),
                series("3", now + "000")),
        "graphite",
            List.of(
                "again.m;host=a 1 1600000000",
                "again.m;host=a BAD 1600000060",
                "again.m;host=a 3 " + now));
  }

  private static String object(String time, String value) {
    return "{\"metric\":\"again.m\",\"timestamp\":"
        + time
        + ",\"value\":"
        + value
        + ",\"tags\":{\"host\":\"a\"}}";
  }

  private static String series(String value, String time) {
    return "{\"metric\":{\"__name__\":\"again.m\",\"host\":\"a\"},\"values\":["
        + value
        + "],\"timestamps\":["
        + time
        + "]}";
  }

  @Test
  void whatWasRejectedIsCorrectedAndLoadedInEveryFormat() throws IOException {
    tables("again");
    long now = Instant.now().getEpochSecond();
    for (Map.Entry<String, List<String>> format : formats(now).entrySet()) {
      String name = format.getKey();
      Path in = input(name + ".in", String.join("\n", format.getValue()) + "\n");
      Loader.Outcome first =
          run("load", in, name, "--format=" + name, "--max-rejected=9", "--on-conflict=last");
      assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.DONE);
      Path corrected = Files.createDirectories(dir.resolve(name + "-corrected"));
      List<Path> rejected;
      try (Stream<Path> files = Files.list(dir.resolve(name))) {
        rejected =
            files.filter(file -> file.getFileName().toString().startsWith("rejected.")).toList();
      }
      assertThat(rejected).as(name).hasSize(name.equals("opentsdb") ? 1 : 2);
      for (Path file : rejected) {
        Files.writeString(
            corrected.resolve(file.getFileName()),
            Files.readString(file)
                .replaceAll("(?m)^([^#].*)BAD(.*)BAD", "$12$24")
                .replaceAll("(?m)^([^#].*)BAD", "$12"));
      }
      Loader.Outcome again =
          run("load", corrected, name + "-again", "--allow-active-hours", "--on-conflict=last");
      assertThat(again.code()).as(again.out() + again.err()).isEqualTo(ExitCode.DONE);
      assertThat(again.out()).as(name).doesNotContain("rejected:");
      Loader.Outcome there = run("verify", corrected, name + "-there", "--on-conflict=last");
      assertThat(there.code()).as(there.out() + there.err()).isEqualTo(ExitCode.DONE);
      assertThat(count(there.out(), "points read")).isEqualTo(name.equals("influx") ? 3 : 2);
    }
  }

  @Test
  void anExportOfSeveralDatabasesIsRefusedWithoutAChoice() throws IOException {
    tables("influx-contexts");
    StringBuilder export =
        new StringBuilder("# DDL\nCREATE DATABASE one WITH NAME autogen\n# DML\n");
    for (String database : List.of("one", "two")) {
      export
          .append("# CONTEXT-DATABASE:" + database + "\n# CONTEXT-RETENTION-POLICY:autogen\n")
          .append("cpu,host=a value=1i 1600000000000000000\n")
          .append("cpu,host=" + database + " value=1i 1600000060000000000\n");
    }
    Path file = input("export", export.toString());
    for (String command : List.of("load", "verify", "plan")) {
      Loader.Outcome refused = run(command, file, command.equals("plan") ? null : command);
      assertThat(refused.code()).as(command).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err()).contains("one/autogen, two/autogen").contains("--influx-database");
    }
    assertThat(cells()).isZero();
    Loader.Outcome nothing = run("load", file, "typo", "--influx-database=tow");
    assertThat(nothing.code()).isEqualTo(ExitCode.USAGE);
    assertThat(nothing.err()).contains("--influx-database=tow must be in the input");
    Loader.Outcome loaded = run("load", file, "work", "--influx-database=two");
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    assertThat(count(loaded.out(), "points written")).isEqualTo(2);
    assertThat(count(loaded.out(), "lines of other database")).isEqualTo(2);
    assertThat(cells()).isEqualTo(2);
    assertThat(run("verify", file, "verify", "--influx-database=two").code())
        .isEqualTo(ExitCode.DONE);
    Loader.Outcome other = run("verify", file, "verify", "--influx-database=one");
    assertThat(other.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(other.out()).contains("NOT every point is there");

    Path changed = input("changed", export.toString().replace("=1i", "=2i"));
    assertThat(run("load", changed, "resumed", "--influx-database=two").code())
        .isEqualTo(ExitCode.BAD_INPUT);
    Loader.Outcome resumed =
        Loader.run(
            "resume",
            "--work-dir=" + dir.resolve("resumed"),
            "--on-conflict=last",
            "--progress=none");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.DONE);
    assertThat(run("verify", changed, "verify", "--influx-database=two").code())
        .isEqualTo(ExitCode.DONE);
  }

  @Test
  void contradictionsStopTheLoadUnlessTheyAreDecided() throws IOException {
    tables("conflicts");
    Path file = input("in.txt", GOOD + "ok.m 1600000000 7 host=a\n");
    Loader.Outcome stopped = run("load", file, "work");
    assertThat(stopped.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(stopped.err()).contains("--on-conflict").contains("ok.m").contains("1600000000");
    assertThat(cells()).isZero();
    Loader.Outcome first = run("load", file, "work", "--on-conflict=first");
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.DONE);
    assertThat(first.out()).contains("duplicates conflicting");

    Path other = input("other.txt", "ok.m 1600000000 8 host=a\n");
    Loader.Outcome stored = run("load", other, "work2");
    assertThat(stored.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(stored.err())
        .contains("one instant must have one value")
        .contains("ok.m host=a (TSUID 000001000001000001), 2020-09-13T12:26:40Z")
        .contains("1 (integer) in the table and 8 (integer) in the input");
    Loader.Outcome different = run("verify", other, "verify");
    assertThat(different.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(different.out())
        .contains("different: series ok.m host=a (TSUID ")
        .contains("NOT every point is there");
    Loader.Outcome decided =
        Loader.run(
            "resume",
            "--work-dir=" + dir.resolve("work2"),
            "--on-conflict=last",
            "--progress=none");
    assertThat(decided.code()).as(decided.err()).isEqualTo(ExitCode.DONE);
    assertThat(run("verify", other, "verify").code()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void hoursThatTsdsMayWriteAreRefusedUnlessAllowed() throws IOException {
    tables("active");
    long now = Instant.now().getEpochSecond();
    Path file = input("in.txt", GOOD + "ok.m " + (now - 60) + " 1 host=a\n");
    Loader.Outcome refused = run("load", file, "work");
    assertThat(refused.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(refused.err()).contains("1 activeHour");
    assertThat(cells()).isZero();
    Loader.Outcome allowed = run("load", file, "work", "--allow-active-hours");
    assertThat(allowed.code()).as(allowed.err()).isEqualTo(ExitCode.DONE);
    assertThat(cells()).isEqualTo(2);
  }

  @Test
  void unknownNamesAreRejectedWithoutCreation() throws IOException {
    tables("no-create");
    assertThat(run("load", input("in.txt", GOOD), "work").code()).isEqualTo(ExitCode.DONE);
    Path file = input("more.txt", GOOD + "ok.m 1600000000 1 host=b\n");
    Loader.Outcome refused = run("load", file, "work2", "--no-create");
    assertThat(refused.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(refused.err()).contains("unknownName").contains("b");
    Loader.Outcome missing = run("verify", file, "verify");
    assertThat(missing.code()).isEqualTo(ExitCode.BAD_INPUT);
  }

  @Test
  void planWritesNothing() throws IOException {
    tables("plan");
    Path file = input("in.txt", GOOD);
    Loader.Outcome plan = run("plan", file, null);
    assertThat(plan.code()).as(plan.err()).isEqualTo(ExitCode.DONE);
    assertThat(plan.out())
        .contains("points             2 in the sample")
        .contains("rows               1 in the sample")
        .contains("1 metrics, 1 tagk, 1 tagv in the sample");
    assertThat(LoaderStack.hbase().cells(conf.get("tsd.storage.hbase.uid_table"))).isEmpty();
  }

  @Test
  void planRefusesWhatTheLoadRefuses() throws IOException {
    tables("plan-refuses");
    long now = Instant.now().getEpochSecond();
    Path active = input("active.txt", GOOD + "ok.m " + now + " 1 host=a\n");
    Path broken = input("broken.txt", GOOD + "ok.m 1600000120 NaN host=a\n");
    Path conflict =
        input(
            "conflict.txt",
            GOOD + "ok.m 1600000000 1 z=1 host=a\nok.m 1600000000000 2 host=a z=1\n");
    Path unknown = input("unknown.txt", "unknown.m 1600000000 1 host=a\n");
    List<List<String>> refused =
        List.of(
            List.of(active.toString()),
            List.of(broken.toString()),
            List.of(conflict.toString()),
            List.of(unknown.toString(), "--no-create"));
    for (List<String> one : refused) {
      Path file = Path.of(one.get(0));
      String[] more = one.subList(1, one.size()).toArray(String[]::new);
      Loader.Outcome plan = run("plan", file, null, more);
      assertThat(plan.code()).as(plan.out()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(plan.out()).contains("a load would stop");
      assertThat(run("load", file, "work", more).code()).isEqualTo(ExitCode.BAD_INPUT);
    }
    assertThat(run("plan", active, null, "--allow-active-hours").code()).isEqualTo(ExitCode.DONE);
    assertThat(run("plan", broken, null, "--max-rejected=1").code()).isEqualTo(ExitCode.DONE);
    assertThat(run("plan", conflict, null, "--on-conflict=max").code()).isEqualTo(ExitCode.DONE);
    assertThat(cells()).isZero();
  }

  @Test
  void verifySaysWhatItDidNotCompare() throws IOException {
    tables("verify-words");
    Path file = input("in.txt", GOOD + "ok.m 1600000120 NaN host=a\n");
    assertThat(run("load", file, "work", "--max-rejected=1").code()).isEqualTo(ExitCode.DONE);
    Loader.Outcome strict = run("verify", file, "verify");
    assertThat(strict.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(strict.err()).contains("1 points of the input cannot be in the table");
    Loader.Outcome allowed = run("verify", file, "verify", "--max-rejected=1");
    assertThat(allowed.code()).isEqualTo(ExitCode.DONE);
    for (Loader.Outcome either : List.of(strict, allowed)) {
      assertThat(either.out())
          .contains("every point that can be loaded is there; 1 of the input cannot")
          .doesNotContain("every point is there");
    }
  }

  @Test
  void verifyKeepsItsReport() throws IOException {
    tables("verify-report");
    Path file = input("in.txt", GOOD);
    assertThat(run("load", file, "work").code()).isEqualTo(ExitCode.DONE);
    Path other =
        input("other.txt", GOOD + "ok.m 1600000120 3 host=a\nok.m 1600000180 NaN host=a\n");
    Path report = dir.resolve("verify.json");
    run("verify", other, "verify", "--max-rejected=1", "--report=" + report);
    JsonNode found = new ObjectMapper().readTree(report.toFile());
    assertThat(found.get("command").textValue()).isEqualTo("verify");
    assertThat(found.get("state").textValue()).isEqualTo("ended");
    assertThat(found.get("exitCode").intValue()).isEqualTo(1);
    assertThat(found.get("message").textValue()).contains("1 points are missing, 0 are different");
    assertThat(found.get("booksClose").booleanValue()).isTrue();
    assertThat(found.at("/points/read").longValue()).isEqualTo(4);
    assertThat(found.at("/points/same").longValue()).isEqualTo(2);
    assertThat(found.at("/points/missing").longValue()).isEqualTo(1);
    assertThat(found.at("/points/rejectedByReason/badValue").longValue()).isEqualTo(1);
    assertThat(found.at("/samples/0").textValue()).contains("missing: ", "host=a");
    assertThat(dir.resolve("verify").resolve("report.json")).hasSameTextualContentAs(report);
    Path damaged = dir.resolve("in.gz");
    Files.write(damaged, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3});
    Loader.Outcome failed = run("verify", damaged, "verify2", "--report=" + report);
    JsonNode failure = new ObjectMapper().readTree(report.toFile());
    assertThat(failure.get("exitCode").intValue()).isEqualTo(failed.code().code()).isNotZero();
    assertThat(failure.get("state").textValue()).isEqualTo("ended");
    assertThat(failure.get("booksClose").booleanValue()).isFalse();
    assertThat(failed.err()).contains(failure.get("message").textValue());
  }

  @Test
  void filesWithoutAPointDoNotStopTheOthers() throws IOException {
    tables("empty-files");
    Path files = Files.createDirectories(dir.resolve("files"));
    Files.writeString(files.resolve("a"), "");
    Files.writeString(files.resolve("b.log"), "# nothing today\n");
    Files.writeString(files.resolve("c.txt"), GOOD);
    Loader.Outcome loaded = run("load", files, "work");
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    assertThat(count(loaded.out(), "points written")).isEqualTo(2);
    Loader.Outcome nothing = run("load", files.resolve("a"), "nothing");
    assertThat(nothing.out()).contains("warning          no point was read");
    assertThat(run("verify", files.resolve("a"), "verify").out())
        .contains("the input has no point");
  }

  private static final List<String> SHAPE =
      List.of("--sensors=7", "--every=30s", "--span=5h", "--values=mixed", "--seed=5");

  @Test
  void everyFormatHasTheSamePoints() throws IOException {
    tables("format-rows");
    Path rows = config;
    List<String> straight = new ArrayList<>(List.of("generate"));
    straight.addAll(SHAPE);
    straight.add("--tsd-config=" + config);
    straight.add("--work-dir=" + dir.resolve("work"));
    straight.add("--progress=none");
    Loader.Outcome made = Loader.run(straight.toArray(String[]::new));
    assertThat(made.code()).as(made.err()).isEqualTo(ExitCode.DONE);
    assertThat(cells()).isEqualTo(7 * 5);
    for (String format : List.of("opentsdb", "json", "influx", "prometheus")) {
      tables("format-" + format);
      List<String> text = new ArrayList<>(List.of("generate"));
      text.addAll(SHAPE);
      text.add("--output=" + dir.resolve("text"));
      text.add("--text-format=" + format);
      text.add("--order=shuffled");
      text.add("--files=3");
      text.add("--gzip");
      Loader.Outcome written = Loader.run(text.toArray(String[]::new));
      assertThat(written.code()).as(written.err()).isEqualTo(ExitCode.DONE);
      String option = "--format=" + format;
      Loader.Outcome loaded = run("load", dir.resolve("text"), "work", option);
      assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
      assertThat(cells()).as(format).isEqualTo(7 * 5);
      Path own = config;
      for (Path either : List.of(own, rows)) {
        config = either;
        Loader.Outcome same = run("verify", dir.resolve("text"), "verify", option);
        assertThat(same.code()).as(same.out() + same.err()).isEqualTo(ExitCode.DONE);
        assertThat(same.out()).contains("every point is there");
      }
    }
  }

  @Test
  void aWorkDirectoryIsOfOneLoad() throws IOException {
    tables("work-dir");
    Path file = input("in.txt", GOOD);
    Files.createDirectories(dir.resolve("mine"));
    Files.writeString(dir.resolve("mine").resolve("letter.txt"), "dear");
    Loader.Outcome refused = run("load", file, "mine");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("letter.txt");
    Loader.Outcome nothing =
        Loader.run("resume", "--work-dir=" + dir.resolve("nowhere"), "--progress=none");
    assertThat(nothing.code()).isEqualTo(ExitCode.USAGE);
    assertThat(nothing.err()).contains("there is no load to resume");
    assertThat(run("load", file, "work").code()).isEqualTo(ExitCode.DONE);
    Loader.Outcome done =
        Loader.run("resume", "--work-dir=" + dir.resolve("work"), "--progress=none");
    assertThat(done.code()).isEqualTo(ExitCode.USAGE);
    assertThat(done.err()).contains("nothing to resume");
  }

  @Test
  void aDefectInTheMiddleHasAReportAndKeepsWhatIsDone() throws IOException {
    tables("defect");
    Path file = input("in.txt", GOOD);
    Path work = dir.resolve("work");
    StepClock clock =
        new StepClock(
            work,
            "ReadDone",
            0,
            () -> {
              throw new OutOfMemoryError("Java heap space");
            });
    Loader.Outcome ended =
        Loader.run(
            clock,
            "load",
            "--tsd-config=" + config,
            "--work-dir=" + work,
            "--progress=none",
            "--input",
            file.toString());
    assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DEFECT);
    assertThat(ended.err())
        .contains("please report it")
        .contains("at io.tsdbsuite.bulk.run.LoadJob")
        .doesNotContain("resume")
        .doesNotContain("again");
    JsonNode report = new ObjectMapper().readTree(work.resolve("report.json").toFile());
    assertThat(report.path("state").asText()).isEqualTo("ended");
    assertThat(report.path("exitCode").asInt()).isEqualTo(4);
    assertThat(report.path("stackTrace").asText()).contains("Java heap space");
    assertThat(cells()).isZero();
    Loader.Outcome rest = Loader.run("resume", "--work-dir=" + work, "--progress=none");
    assertThat(rest.code()).as(rest.err()).isEqualTo(ExitCode.DONE);
    assertThat(cells()).isEqualTo(1);
  }

  /** Nor is one that is killed before its report is written. */
  @Test
  void aLoadWhoseReportCannotBeWrittenIsNotDone() throws IOException {
    tables("no-report");
    Path file = input("in.txt", GOOD);
    Path work = dir.resolve("work");
    Path reports = Files.createDirectory(dir.resolve("reports"));
    StepClock clock =
        new StepClock(work, "ReadDone", 0, () -> assertThat(reports.toFile().delete()).isTrue());
    Loader.Outcome failed =
        Loader.run(
            clock,
            "load",
            "--tsd-config=" + config,
            "--work-dir=" + work,
            "--progress=none",
            "--report=" + reports.resolve("report.json"),
            "--input",
            file.toString());
    assertThat(clock.isDone()).isTrue();
    assertThat(failed.code()).as(failed.err()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(failed.err()).contains("the report " + reports, "cannot be written");
    Path report = dir.resolve("report.json");
    Loader.Outcome resumed =
        Loader.run("resume", "--work-dir=" + work, "--progress=none", "--report=" + report);
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.DONE);
    JsonNode books = new ObjectMapper().readTree(report.toFile());
    assertThat(books.path("booksClose").asBoolean()).as("%s", books).isTrue();
    assertThat(books.at("/counts/pointsWritten").asLong()).isEqualTo(2);
    assertThat(cells()).isEqualTo(1);
  }

  @Test
  void aMissingTableIsNamed() throws IOException {
    tables("missing-table");
    Files.writeString(config, Files.readString(config) + "tsd.storage.hbase.data_table = gone\n");
    Loader.Outcome refused = run("load", input("in.txt", GOOD), "work");
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("gone").contains("tsd.storage.hbase.data_table");
  }

  @Test
  void metaRowsOnRequest() throws IOException {
    tables("meta");
    Loader.Outcome loaded = run("load", input("in.txt", GOOD), "work", "--meta");
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    assertThat(LoaderStack.hbase().cells(conf.get("tsd.storage.hbase.meta_table"))).hasSize(2);
  }
}
