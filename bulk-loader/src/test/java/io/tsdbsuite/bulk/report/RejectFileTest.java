package io.tsdbsuite.bulk.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RejectFileTest {
  @TempDir Path directory;
  private Path path;

  @BeforeEach
  void name() {
    path = directory.resolve("rejected.txt");
  }

  private static void reject(RejectBatch batch, long line, String text) {
    byte[] bytes = ("<<" + text + ">>").getBytes(StandardCharsets.UTF_8);
    reject(batch, RejectForm.IMPORT_LINES, line, bytes, 2, bytes.length - 4);
  }

  private static void reject(
      RejectBatch batch, RejectForm form, long line, byte[] text, int off, int len) {
    batch.reject(RejectReason.BAD_VALUE, form, "a/b.gz", line, "must be a number", text, off, len);
  }

  @Test
  void hasEachLineBelowItsComment() throws IOException {
    try (RejectFile file = RejectFile.create(path, 2)) {
      RejectBatch batch = file.batch();
      reject(batch, 3, "m 1 x k=v");
      reject(batch, 9, "{\n\"metric\":1}\r");
      reject(batch, 10, "");
      assertThat(path).doesNotExist();
      int size = batch.size();
      long length = file.commit(batch).get(RejectForm.IMPORT_LINES);
      assertThat(length).isEqualTo(size);
      assertThat(batch.size()).isZero();
      assertThat(length).isEqualTo(Files.size(path));
      assertThat(file.samples())
          .containsExactly(
              new RejectSample(
                  RejectReason.BAD_VALUE, "a/b.gz", 3, "must be a number", "m 1 x k=v"),
              new RejectSample(
                  RejectReason.BAD_VALUE, "a/b.gz", 9, "must be a number", "{ \"metric\":1} "));
      assertThat(file.counts().rejected()).isEqualTo(3);
    }
    assertThat(Files.readString(path))
        .isEqualTo(
            """
            # a/b.gz:3 badValue: must be a number
            m 1 x k=v
            # a/b.gz:9 badValue: must be a number
            { "metric":1}\s
            # a/b.gz:10 badValue: must be a number

            """);
  }

  @Test
  void isNotMadeWithoutARejectAndIsEmptiedByANewLoad() throws IOException {
    RejectFile.create(path, 5).close();
    assertThat(path).doesNotExist();
    Files.writeString(path, "old");
    RejectFile.create(path, 5).close();
    assertThat(path).isEmptyFile();
  }

  @Test
  void losesWhatWasNotCommittedAndNothingElse() throws IOException {
    Tally tally = new Tally();
    Map<RejectForm, Long> committed;
    String whole;
    try (RejectFile file = RejectFile.create(path, 3)) {
      RejectBatch batch = file.batch();
      RejectBatch other = file.batch();
      reject(batch, 1, "one");
      reject(other, 5, "another thread's, not committed");
      reject(batch, 2, "two: # x:1 badValue: y");
      committed = file.commit(batch);
      whole = Files.readString(path);
      tally.reject(RejectReason.BAD_VALUE, 2);
      reject(batch, 3, "three");
    }
    assertThat(Files.readString(path)).contains("three", "another thread's");
    try (RejectFile file = RejectFile.resume(path, committed, 3, tally)) {
      assertThat(file.counts().rejected()).isEqualTo(2);
      assertThat(file.samples()).extracting(RejectSample::line).containsExactly(1L, 2L);
      assertThat(file.samples().get(1).text()).isEqualTo("two: # x:1 badValue: y");
      RejectBatch batch = file.batch();
      reject(batch, 3, "three again");
      reject(batch, 4, "four");
      assertThat(file.samples()).extracting(RejectSample::line).containsExactly(1L, 2L, 3L);
    }
    assertThat(Files.readString(path)).startsWith(whole).contains("three again").hasLineCount(8);
    Map<RejectForm, Long> tooMuch = Map.of(RejectForm.IMPORT_LINES, 1_000_000L);
    assertThatThrownBy(() -> RejectFile.resume(path, tooMuch, 3, tally))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("at least the 1000000 bytes")
        .hasMessageContaining("found " + Files.size(path));
  }

  @Test
  void takesLinesOfAnyLengthAndBytesOfAnyCharset() throws IOException {
    byte[] latin = "m\u00e9tric".getBytes(StandardCharsets.ISO_8859_1);
    String large = "x".repeat(1_000_000);
    try (RejectFile file = RejectFile.create(path, 2)) {
      RejectBatch batch = file.batch();
      reject(batch, RejectForm.IMPORT_LINES, 1, latin, 0, latin.length);
      reject(batch, 2, large);
      assertThat(file.samples().get(1).text()).hasSize(203).endsWith("...");
    }
    byte[] bytes = Files.readAllBytes(path);
    Map<RejectForm, Long> committed = Map.of(RejectForm.IMPORT_LINES, (long) bytes.length);
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).contains("\nm\u00e9tric\n" + "#");
    assertThat(bytes).hasSizeGreaterThan(1_000_000);
    try (RejectFile file = RejectFile.resume(path, committed, 2, new Tally())) {
      assertThat(file.samples()).hasSize(2);
    }
  }

  @Test
  void eachFormHasItsFile() throws IOException {
    byte[] text = "m,a=b x=\"s\",y=t 1".getBytes(StandardCharsets.UTF_8);
    Map<RejectForm, Long> committed;
    try (RejectFile file = RejectFile.create(path, 5)) {
      RejectBatch batch = file.batch();
      reject(batch, RejectForm.INFLUX, 3, text, 0, text.length);
      reject(batch, RejectForm.INFLUX, 3, text, 0, text.length);
      reject(batch, RejectForm.INFLUX, 4, text, 0, text.length);
      reject(batch, RejectForm.JSON, 1, text, 0, 1);
      committed = file.commit(batch);
      assertThat(file.paths())
          .containsExactly(
              directory.resolve("rejected.json").toString(),
              directory.resolve("rejected.influx").toString());
      reject(batch, RejectForm.INFLUX, 5, text, 0, text.length);
    }
    assertThat(path).doesNotExist();
    // A line that is rejected for two of its fields is there once.
    assertThat(Files.readString(directory.resolve("rejected.influx")))
        .startsWith(
            """
            # a/b.gz:3 badValue: must be a number
            m,a=b x="s",y=t 1
            # a/b.gz:3 badValue: must be a number
            # a/b.gz:4 badValue: must be a number
            m,a=b x="s",y=t 1
            """);
    try (RejectFile file = RejectFile.resume(path, committed, 5, new Tally())) {
      assertThat(file.samples()).extracting(RejectSample::line).containsExactly(1L, 3L, 3L, 4L);
      assertThat(file.samples())
          .extracting(RejectSample::text)
          .startsWith("m")
          .endsWith("m,a=b x=\"s\",y=t 1", "m,a=b x=\"s\",y=t 1");
    }
  }

  @Test
  void threadsDoNotMixTheirLines() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try (RejectFile file = RejectFile.create(path, 1)) {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        String name = "thread" + t;
        all.add(pool.submit(() -> rejectAndCommit(file, name)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      pool.shutdown();
    }
    List<String> lines = Files.readAllLines(path);
    assertThat(lines).hasSize(8000);
    for (int i = 0; i < lines.size(); i += 2) {
      assertThat(lines.get(i)).startsWith("# a/b.gz:");
      assertThat(lines.get(i + 1)).startsWith("thread");
    }
  }

  private static void rejectAndCommit(RejectFile file, String name) {
    RejectBatch batch = file.batch();
    for (int i = 0; i < 1000; i++) {
      reject(batch, i, name);
      if (i % 100 == 0) {
        file.commit(batch);
      }
    }
  }

  @Test
  void theLimitSaysWhatIsWrongAndThatNothingWasWritten() {
    try (RejectFile file = RejectFile.create(path, 2)) {
      RejectLimits limits = limits("1");
      RejectBatch batch = file.batch();
      reject(batch, 1, "one");
      limits.requireSoFar(file);
      reject(batch, 2, "two");
      byte[] text = "three".getBytes(StandardCharsets.UTF_8);
      file.batch()
          .reject(RejectReason.BAD_TAGS, RejectForm.JSON, "c", 7, "no tag", text, 0, text.length);
      assertThatThrownBy(() -> limits.requireSoFar(file))
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT))
          .hasMessageContainingAll(
              "more points were rejected than --max-rejected allows (1), found so far 3:"
                  + " 2 badValue, 1 badTags",
              path.toString(),
              directory.resolve("rejected.json").toString(),
              "no point was written")
          .hasMessageNotContaining("a rule");
      assertThat(directory.resolve("rejected.json")).content().contains("three");
      assertThat(path).content().contains("two").doesNotContain("three");
    }
  }

  @Test
  void aPercentageCountsAtTheEnd() {
    try (RejectFile file = RejectFile.create(path, 2)) {
      RejectLimits limits = limits("50%");
      reject(file.batch(), 1, "one");
      limits.requireSoFar(file);
      limits.require(file, 2);
      assertThatThrownBy(() -> limits.require(file, 1))
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT))
          .hasMessageContaining("(50%), found so far 1: 1 badValue");
    }
  }

  private static RejectLimits limits(String text) {
    return RejectLimits.of(List.of(text), problem -> {});
  }

  /** A line of InfluxDB has as many rejects as fields: its text is copied once. */
  @Test
  void manyRejectsOfALongLineCopyItOnce() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] line = new byte[1 << 18];
    Arrays.fill(line, (byte) 'x');
    long[] bytes = new long[2];
    for (int round = 0; round < 2; round++) {
      RejectBatch batch = new RejectBatch(1);
      int rejects = 100 << round;
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < rejects; i++) {
        batch.reject(
            RejectReason.BAD_VALUE, RejectForm.INFLUX, "in", 7, "rule", line, 0, line.length);
      }
      bytes[round] = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(batch.size()).isLessThan(2 * line.length);
    }
    assertThat(bytes[1]).isLessThan(bytes[0] + (long) line.length);
  }
}
