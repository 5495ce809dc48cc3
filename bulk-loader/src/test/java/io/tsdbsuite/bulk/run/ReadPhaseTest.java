package io.tsdbsuite.bulk.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.group.Grouper;
import io.tsdbsuite.bulk.group.Grouping;
import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.spill.RunSpills;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A large compressed file gives the same runs, books and rejects by any number of threads. */
class ReadPhaseTest {
  private static final int LINES = 120_000;
  private static final NamesParser NAMES = NamesParser.of(TsdConfig.parse(""), NameRules.NONE);

  @TempDir private Path dir;
  private int series;

  /** What the reading of a file has left behind. */
  private record Result(List<byte[]> runs, List<String> commits, List<String> rejects) {}

  /** Values of each instant and series come several times, and lines are rejected. */
  private Path file() throws IOException {
    Random random = Seed.random();
    Path file = dir.resolve("in.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < LINES; i++) {
        String line =
            "m " + (1356998400 + random.nextInt(7200)) + " " + random.nextDouble() + " host=h";
        String end = random.nextInt(1000) == 0 ? " no tag\n" : random.nextInt(10) + "\n";
        out.write((line + end).getBytes(StandardCharsets.UTF_8));
      }
    }
    assertThat(Files.size(file)).isGreaterThan(1 << 20);
    return file;
  }

  private Result read(Path file, int threads) throws IOException {
    Path runs = Files.createDirectories(dir.resolve("runs" + threads));
    LoadInput input =
        LoadInput.find(
            InputSettings.of(List.of(file.toString()), "auto"),
            threads,
            new Configuration(),
            InputStream.nullInputStream());
    List<String> commits = Collections.synchronizedList(new ArrayList<>());
    List<String> rejects = Collections.synchronizedList(new ArrayList<>());
    series = 0;
    new ReadPhase(input, LoadState.of(List.of()), Path.of("runs"), left -> {})
        .run(threads, stored -> {}, goesOn -> grouper(runs, commits, rejects, goesOn));
    List<byte[]> contents = new ArrayList<>();
    try (Stream<Path> all = Files.list(runs)) {
      for (Path run : all.sorted().toList()) {
        contents.add(Files.readAllBytes(run));
      }
    }
    return new Result(contents, commits, rejects);
  }

  private Grouper grouper(
      Path runs, List<String> commits, List<String> rejects, BooleanSupplier goesOn) {
    return new Grouper(
        new Grouping(
            Grouping.MIN_MEMORY,
            Long.MAX_VALUE,
            OnConflict.FIRST,
            new RowKey(StorageSchema.defaults()),
            NAMES,
            this::resolve,
            (reason, form, name, line, detail, text, off, len) ->
                rejects.add(line + " " + reason + " " + detail + " " + len),
            new RunSpills(runs, (run, upTo, tally) -> commits.add(upTo + " " + books(tally))),
            (points, bytes) -> goesOn.getAsBoolean()));
  }

  private synchronized void resolve(List<NewSeries> found) {
    for (NewSeries one : found) {
      byte[] template = new byte[13];
      template[2] = 1;
      template[9] = 1;
      template[12] = (byte) ++series;
      one.resolved(template);
    }
  }

  private static List<String> books(Tally tally) {
    List<String> books = new ArrayList<>();
    for (Count count : Count.values()) {
      books.add(count.key() + " " + tally.get(count));
    }
    books.add("rejected " + tally.rejected());
    return books;
  }

  @Test
  void sameRunsBooksAndRejects() throws IOException {
    Path file = file();
    Result alone = read(file, 1);
    assertThat(alone.commits()).hasSizeGreaterThan(0);
    assertThat(alone.commits().toString()).contains("duplicatesConflicting");
    assertThat(alone.rejects()).isNotEmpty();
    for (int threads = 2; threads <= 4; threads++) {
      Result shared = read(file, threads);
      assertThat(shared.rejects()).isEqualTo(alone.rejects());
      assertThat(shared.commits()).isEqualTo(alone.commits());
      assertThat(shared.runs()).hasSameSizeAs(alone.runs());
      for (int i = 0; i < alone.runs().size(); i++) {
        assertThat(shared.runs().get(i)).isEqualTo(alone.runs().get(i));
      }
    }
  }

  @Test
  void aFailureEndsAllThreads() throws IOException {
    Path file = file();
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1000));
    for (int threads = 1; threads <= 3; threads++) {
      int number = threads;
      assertThatThrownBy(() -> read(file, number))
          .isInstanceOf(JobException.class)
          .hasMessageContaining("ends too early, it is truncated");
    }
  }
}
