package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values, times, names and files of other databases. */
class ForeignDataIT {
  private static final String NS = "1600000000000000000";

  private Path dir;
  private Path config;
  private Map<String, String> conf;

  private void tables(String test) {
    dir = WorkDirs.fresh(test);
    conf = LoaderStack.conf(test);
    config = LoaderStack.configFile(test, conf);
  }

  private Path input(String name, String lines) throws IOException {
    return Files.writeString(dir.resolve(name), lines);
  }

  private Loader.Outcome run(String command, Path input, String... more) {
    List<String> arguments = new ArrayList<>();
    arguments.add(command);
    arguments.add("--tsd-config=" + config);
    if (!command.equals("plan")) {
      arguments.add("--work-dir=" + dir.resolve(command));
      arguments.add("--progress=none");
    }
    arguments.addAll(List.of(more));
    arguments.add("--input");
    arguments.add(input.toString());
    return Loader.run(arguments.toArray(String[]::new));
  }

  private void done(Loader.Outcome outcome) {
    assertThat(outcome.code()).as(outcome.out() + outcome.err()).isEqualTo(ExitCode.DONE);
  }

  private JsonNode report(String command) throws IOException {
    return new ObjectMapper().readTree(dir.resolve(command).resolve("report.json").toFile());
  }

  private int cells() throws IOException {
    return LoaderStack.hbase().cells(conf.get("tsd.storage.hbase.data_table")).size();
  }

  @Test
  void theNumbersOfALineAreLoadedAndTheRestIsCounted() throws IOException {
    tables("skip");
    Path file = input("in.lp", "\ufeffcpu,host=a load=0.5,note=\"a, b\",up=true " + NS + "\n");
    assertThat(run("load", file).code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run("plan", file).out()).contains("--skip strings").contains("2 badValue");
    String skip = "--skip=strings,booleans";
    Loader.Outcome plan = run("plan", file, skip);
    done(plan);
    assertThat(plan.out())
        .contains("1 strings")
        .contains("1 booleans")
        .contains("cpu.load{host=a}");
    Loader.Outcome loaded = run("load", file, skip);
    done(loaded);
    assertThat(loaded.out()).containsPattern("- skipped +2\n.* +strings +1\n.* +booleans +1\n");
    JsonNode counts = report("load").get("counts");
    assertThat(counts.get("pointsRead").longValue()).isEqualTo(3);
    assertThat(counts.get("pointsWritten").longValue()).isEqualTo(1);
    assertThat(counts.get("pointsSkipped").longValue()).isEqualTo(2);
    assertThat(counts.at("/skipped/strings").longValue()).isEqualTo(1);
    assertThat(counts.at("/skipped/booleans").longValue()).isEqualTo(1);
    assertThat(counts.get("pointsRejected").longValue()).isZero();
    assertThat(dir.resolve("load").resolve("rejected.influx")).doesNotExist();
    Loader.Outcome verified = run("verify", file, skip);
    done(verified);
    assertThat(verified.out()).contains("2 of the input cannot");
    assertThat(report("verify").at("/points/skippedByKind/strings").longValue()).isEqualTo(1);
    assertThat(report("verify").get("booksClose").booleanValue()).isTrue();
  }

  @Test
  void limitsOfReasonsAndPercentages() throws IOException {
    tables("limits");
    StringBuilder lines = new StringBuilder("m 1600000000 x host=a\nm bad 1 host=a\n");
    for (int i = 0; i < 98; i++) {
      lines.append("m ").append(1_600_000_000 + i).append(" 1 host=a\n");
    }
    Path file = input("in.txt", lines.toString());
    for (String[] limits :
        List.of(
            new String[] {"--max-rejected=1%"},
            new String[] {"--max-rejected=badValue=1"},
            new String[] {"--max-rejected=1", "--max-rejected=badValue=0.9%"})) {
      assertThat(run("plan", file, limits).code()).isEqualTo(ExitCode.BAD_INPUT);
      Loader.Outcome stopped = run("load", file, limits);
      assertThat(stopped.code()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(stopped.err()).contains("1 badTimestamp, 1 badValue");
      assertThat(cells()).isZero();
    }
    done(run("load", file, "--max-rejected=badValue=1%", "--max-rejected=1"));
    done(run("verify", file, "--max-rejected=2%"));
    assertThat(run("verify", file, "--max-rejected=badValue=2").code())
        .isEqualTo(ExitCode.BAD_INPUT);
  }

  private static final String SOURCE =
      "win_cpu,instance=_Total,host\\ name=my\\ server,drive=C: Percent\\ Idle\\ Time=97.5 "
          + NS
          + "\nwin_cpu,host\\ name=my\\ server,drive=C:,instance=_Total Percent\\ Idle\\ Time=98.5"
          + " 1600000060000000000\nmem,host\\ name=db free=7i "
          + NS
          + "\n";

  /** The same points under the names that they must get. */
  private static final String TARGET =
      "cpu.idle 1600000000 97.5 instance=_Total host=my_server drive=C_ dc=ams\n"
          + "cpu.idle 1600000060 98.5 instance=_Total host=my_server drive=C_ dc=ams\n"
          + "mem.free 1600000000 7 host=db dc=ams\n";

  @Test
  void namesAreMappedReplacedAndAdded() throws IOException {
    tables("names");
    Path mapping =
        input(
            "names.txt",
            "metric \"win_cpu.Percent Idle Time\" cpu.idle\nmetric disk.free disk.left\n");
    String[] options = {
      "--names=" + mapping,
      "--rename-tag=host name=host",
      "--add-tag=dc=ams",
      "--replace-chars",
      "--threads=2"
    };
    Path file = input("in.lp", SOURCE);
    Loader.Outcome plan = run("plan", file, List.of(options).subList(0, 4).toArray(String[]::new));
    done(plan);
    assertThat(plan.out())
        .contains(
            "name               mem.free{host name=db} -> mem.free{host=db, dc=ams}\n",
            "no metric of the input is 'disk.free'");
    // A conflict stops the load, so that a resume needs the options again.
    Path stored = input("stored.txt", "mem.free 1600000000 8 host=db dc=ams\n");
    done(run("load", stored));
    assertThat(run("load", file, options).code()).isEqualTo(ExitCode.BAD_INPUT);
    Files.writeString(mapping, "# changed\n", StandardOpenOption.APPEND);
    Loader.Outcome resumed =
        Loader.run(
            "resume", "--work-dir=" + dir.resolve("load"), "--on-conflict=last", "--progress=none");
    done(resumed);
    assertThat(resumed.out()).doesNotContain("-> ").contains("books            close");
    done(run("verify", input("target.txt", TARGET)));
    done(run("verify", file, options));
    assertThat(run("verify", file, "--replace-chars").code()).isEqualTo(ExitCode.BAD_INPUT);
  }

  @Test
  void namesThatBecomeOneStopTheLoad() throws IOException {
    tables("collision");
    Path file = input("in.lp", "m,host=a\\ b v=1 " + NS + "\nm,host=a_b v=2 " + NS + "\n");
    Loader.Outcome plan = run("plan", file, "--replace-chars");
    assertThat(plan.code()).isEqualTo(ExitCode.BAD_INPUT);
    Loader.Outcome stopped = run("load", file, "--replace-chars");
    assertThat(stopped.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(stopped.err()).contains("1 nameCollision");
    for (String out : List.of(plan.out(), stopped.out())) {
      assertThat(out)
          .contains("tag value of host must come of one name")
          .contains("'a b' and 'a_b'");
    }
    assertThat(cells()).isZero();
    assertThat(run("load", file, "--replace-chars", "--merge-names").err())
        .contains("--on-conflict");
    Loader.Outcome merged =
        run("load", file, "--replace-chars", "--merge-names", "--on-conflict=last");
    done(merged);
    assertThat(merged.out()).contains("merged: a tag value of host").contains("conflicting");
    done(run("verify", input("target.txt", "m.v 1600000000 2.0 host=a_b\n")));
  }

  @Test
  void filesThatNoFormatReadsAreNamedAndLeftOut() throws IOException {
    tables("foreign");
    Path files = Files.createDirectories(dir.resolve("files"));
    Files.writeString(files.resolve("a.txt"), "m 1600000000 1 host=a\n");
    Files.writeString(files.resolve("notes.md"), "hello world\n");
    Files.write(files.resolve("old.zip"), new byte[] {'P', 'K', 3, 4, 0, 0, 0, 0, 0, 0, 0, 0});
    Loader.Outcome refused = run("load", files);
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err())
        .contains("2 files of the input cannot be read")
        .contains("notes.md: ")
        .contains("old.zip: ")
        .contains("--exclude");
    assertThat(run("load", files, "--include=*.csv").err()).contains("found none for *.csv");
    Loader.Outcome left = run("load", files, "--exclude=*.md", "--exclude=**/files/*.zip");
    done(left);
    assertThat(left.out()).contains("2 files were left out").contains("notes.md");
    assertThat(run("plan", files, "--include=*.txt").out()).contains("2 files were left out");
    done(run("verify", files, "--include=*.txt"));
  }
}
