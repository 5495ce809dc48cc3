package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.error.ExitCode;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        .contains("in.txt:3 badTimestamp")
        .contains("in.txt:4 badValue")
        .contains("no point was written");
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
        .contains("1 (integer) in the table and 8 (integer) in the input");
    Loader.Outcome different = run("verify", other, "verify");
    assertThat(different.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(different.out()).contains("different: ").contains("NOT every point is there");
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
    assertThat(refused.err()).contains("activeHour");
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
