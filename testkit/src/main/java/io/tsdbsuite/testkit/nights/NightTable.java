package io.tsdbsuite.testkit.nights;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The table {@code nights.txt}, which explains its form: nights, the runs that are planned for
 * them, and how these end. The programs that plan nights are compared with it, each by its own
 * classes.
 */
public final class NightTable {
  private static final String KILLED = "k";

  /**
   * Nights of one pipeline.
   *
   * @param first its first day
   * @param ttl of the data table; empty if its data never expire
   * @param nights in the order in which they run
   */
  public record Pipeline(LocalDate first, Optional<Duration> ttl, List<Night> nights) {
    @Override
    public String toString() {
      return "first " + first;
    }
  }

  /**
   * A night.
   *
   * @param now the present
   * @param snapshot when the data snapshot was taken; empty if none was taken or exported
   * @param runs the planned runs, in order, in the notation of {@link #run}
   * @param ends how each of them ends
   */
  public record Night(Instant now, Optional<Instant> snapshot, List<String> runs, List<End> ends) {}

  /**
   * The end of a run.
   *
   * @param exitCode of rollup-job; empty if it was killed
   */
  public record End(Optional<Integer> exitCode) {
    private static End of(String text) {
      return new End(text.equals(KILLED) ? Optional.empty() : Optional.of(Integer.parseInt(text)));
    }
  }

  private NightTable() {}

  /** Reads the table. */
  public static List<Pipeline> read() {
    String text;
    try (InputStream in = NightTable.class.getResourceAsStream("nights.txt")) {
      if (in == null) {
        throw new IllegalStateException("testkit has no nights.txt");
      }
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Pipeline> pipelines = new ArrayList<>();
    List<Night> nights = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("first ")) {
        nights = new ArrayList<>();
        pipelines.add(pipeline(words(line), nights));
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        nights.add(night(line));
      }
    }
    return List.copyOf(pipelines);
  }

  private static Pipeline pipeline(List<String> words, List<Night> nights) {
    Optional<Duration> ttl =
        words.size() < 3
            ? Optional.empty()
            : Optional.of(Duration.ofDays(Long.parseLong(words.get(2))));
    return new Pipeline(LocalDate.parse(words.get(1)), ttl, nights);
  }

  private static Night night(String line) {
    String[] fields = line.split("\\|", -1);
    if (fields.length != 4) {
      throw new IllegalStateException("a night must have four fields, found: " + line);
    }
    Night night =
        new Night(
            Instant.parse(fields[0].strip()),
            words(fields[1]).stream().findFirst().map(Instant::parse),
            words(fields[2]),
            words(fields[3]).stream().map(End::of).toList());
    if (night.runs().size() != night.ends().size()) {
      throw new IllegalStateException("each run must have its end, found: " + line);
    }
    return night;
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
  }

  /**
   * A planned run in the notation of the table: {@code 2026-03-08<2026-03-07}.
   *
   * @param arguments of rollup-job
   */
  public static String run(LocalDate day, List<String> arguments) {
    StringBuilder run = new StringBuilder(day.toString());
    int report = arguments.indexOf("--since-report");
    if (report >= 0) {
      String location = arguments.get(report + 1);
      String name = location.substring(location.lastIndexOf('/') + 1);
      run.append('<').append(name.replaceFirst("\\.json$", ""));
    }
    int time = arguments.indexOf("--changed-since");
    if (time >= 0) {
      run.append('<').append(arguments.get(time + 1));
    }
    return run.toString();
  }
}
