package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a journal. An incomplete last line is dropped: the process was killed before its event took
 * effect. Any other damage is an error.
 */
public final class JournalReader {
  private JournalReader() {}

  /**
   * Content of a journal.
   *
   * @param events in their order
   * @param length bytes up to the end of the last event
   */
  public record Content(List<JournalEvent> events, long length) {
    /** The state that the events lead to. */
    public LoadState state() {
      return LoadState.of(events);
    }
  }

  /**
   * Reads a journal; nothing is changed.
   *
   * @throws JobException usage, naming file and line, when the journal is damaged; outside, when
   *     the disk fails
   */
  public static Content read(Path file) {
    try {
      return parse(file, Files.readAllBytes(file));
    } catch (IOException e) {
      throw JobException.outside(
          "the journal " + file + " cannot be read: " + StorageFailures.reason(e), e);
    }
  }

  /** Reads the bytes of a journal; messages name {@code file}. */
  static Content parse(Path file, byte[] bytes) {
    List<JournalEvent> events = new ArrayList<>();
    int start = 0;
    for (int end = 0; end < bytes.length; end++) {
      if (bytes[end] == '\n') {
        events.add(event(file, bytes, start, end, events.size() + 1L));
        start = end + 1;
      }
    }
    int rest = bytes.length - start;
    if (rest > 0 && JournalLine.isWhole(bytes, start, rest - 1)) {
      throw damaged(file, events.size() + 1L, "the line does not end where it should");
    }
    return new Content(List.copyOf(events), start);
  }

  private static JournalEvent event(Path file, byte[] bytes, int start, int end, long number) {
    if (!JournalLine.isWhole(bytes, start, end - start)) {
      throw damaged(file, number, "the checksum of the line is wrong");
    }
    EventJson.Numbered read;
    try {
      read = JournalLine.read(bytes, start, end - start);
    } catch (IOException e) {
      throw damaged(file, number, "another version may have written it: " + e.getMessage());
    }
    if (read.number() != number) {
      throw damaged(file, number, "its number must be " + number + ", found " + read.number());
    }
    return read.event();
  }

  private static JobException damaged(Path file, long line, String why) {
    return JobException.usage("the journal is damaged at " + file + ":" + line + ": " + why);
  }
}
