package io.tsdbsuite.bulk.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  @TempDir Path directory;
  private Path file;
  private byte[] whole;

  /** Length of the journal after each event. */
  private final List<Integer> ends = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("journal");
    ends.add(0);
    try (Journal journal = Journal.open(file, new JournalReader.Content(List.of(), 0))) {
      for (JournalEvent event : Events.all()) {
        journal.append(event);
        ends.add((int) Files.size(file));
      }
    }
    whole = Files.readAllBytes(file);
  }

  /** Records with arrays are not equal by themselves. */
  private static List<String> json(List<JournalEvent> events) {
    return events.stream()
        .map(event -> new String(EventJson.write(1, event), StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void eventsComeBackAsTheyWere() {
    JournalReader.Content content = JournalReader.read(file);
    assertThat(json(content.events())).isEqualTo(json(Events.all()));
    assertThat(content.length()).isEqualTo(whole.length);
    assertThat(content.events().get(0)).isEqualTo(Events.started());
  }

  @Test
  void linesAreJsonWithNumberAndChecksum() {
    assertThat(new String(JournalLine.write(7, Events.rows(2, 6, false)), StandardCharsets.UTF_8))
        .matches(
            "\\{\"n\":7,\"event\":\"RowsAcknowledged\",\"range\":2,\"lastKey\":\"0006ff\",\"tally\":\\{\"pointsWritten\":50\\},\"done\":false,\"crc\":\"[0-9a-f]{8}\"\\}\n");
  }

  @Test
  void everyTruncationLeavesTheEventsThatWereWhole() {
    for (int length = 0; length <= whole.length; length++) {
      JournalReader.Content content = JournalReader.parse(file, Arrays.copyOf(whole, length));
      int events = content.events().size();
      assertThat(content.length()).isEqualTo(ends.get(events).longValue());
      int cut = length;
      assertThat(events).isEqualTo((int) ends.stream().filter(end -> end <= cut).count() - 1);
      content.state();
    }
  }

  @Test
  void aTruncatedJournalGoesOn() throws IOException {
    for (int length : new int[] {ends.get(3), ends.get(3) + 1, ends.get(4) - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      JournalReader.Content content = JournalReader.read(file);
      try (Journal journal = Journal.open(file, content)) {
        journal.append(Events.all().get(3));
      }
      assertThat(Files.readAllBytes(file)).isEqualTo(Arrays.copyOf(whole, ends.get(4)));
    }
  }

  @Test
  void everyDamageOfOneByteIsFound() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int at = 0; at < whole.length; at++) {
      for (int value : new int[] {random.nextInt(256), '\n', ' ', 0, whole[at] ^ 0x20}) {
        if (whole[at] == (byte) value) {
          continue;
        }
        byte[] damaged = whole.clone();
        damaged[at] = (byte) value;
        assertThatThrownBy(() -> JournalReader.parse(file, damaged))
            .as("seed %d, byte %d is %d", seed, at, value)
            .isInstanceOf(JobException.class)
            .hasMessageStartingWith("the journal is damaged at " + file + ":");
      }
    }
  }

  @Test
  void damageIsNamedByItsLine() throws IOException {
    byte[] damaged = whole.clone();
    damaged[ends.get(4) + 3] ^= 1;
    Files.write(file, damaged);
    assertThatThrownBy(() -> JournalReader.read(file))
        .hasMessage("the journal is damaged at " + file + ":5: the checksum of the line is wrong");
  }

  @Test
  void linesMayNotBeLostOrSwapped() throws IOException {
    byte[] lost = new byte[whole.length - ends.get(1)];
    System.arraycopy(whole, ends.get(1), lost, 0, lost.length);
    Files.write(file, lost);
    assertThatThrownBy(() -> JournalReader.read(file))
        .hasMessageContaining(":1: its number must be 1, found 2");
  }

  @Test
  void anUnknownEventIsOfAnotherVersion() throws IOException {
    String json = "{\"n\":1,\"event\":\"Xyz\"";
    CRC32C crc = new CRC32C();
    crc.update(json.getBytes(StandardCharsets.UTF_8));
    Files.writeString(file, json + String.format(",\"crc\":\"%08x\"}%n", crc.getValue()));
    assertThatThrownBy(() -> JournalReader.read(file))
        .hasMessageContaining(":1: another version may have written it")
        .hasMessageContaining("Xyz");
  }

  @Test
  void afterAFailedWriteNothingFollows() {
    Journal journal = Journal.open(file, JournalReader.read(file));
    journal.close();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> journal.append(Events.rows(1, 1, true)))
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE));
    }
  }
}
