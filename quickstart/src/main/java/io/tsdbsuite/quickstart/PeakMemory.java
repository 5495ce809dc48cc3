package io.tsdbsuite.quickstart;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Peak resident memory of this process and its children, on systems with /proc. It must look before
 * a process ends, whose peak is lost then. The sum of the peaks of all processes that run at one
 * time is no less than the peak of their sum.
 */
final class PeakMemory {
  private static final String FIELD = "VmHWM:";
  private static final long KIBIBYTE = 1024;
  private static final double MEBIBYTE = 1 << 20;
  private static final double GIBIBYTE = 1 << 30;
  private static final String PACKAGE = "io.tsdbsuite.";

  private List<Peak> largest = List.of();

  /**
   * A process.
   *
   * @param name its main class
   * @param bytes its peak
   */
  private record Peak(String name, long bytes) {}

  /** Adds up the peaks of the processes that run now. */
  void look() {
    List<Peak> now = new ArrayList<>();
    now.add(new Peak("quickstart", peak(ProcessHandle.current().pid())));
    ProcessHandle.current()
        .descendants()
        .map(ProcessHandle::pid)
        .forEach(pid -> now.add(new Peak(name(pid), peak(pid))));
    if (sum(now) > sum(largest)) {
      largest = now;
    }
  }

  private static long sum(List<Peak> processes) {
    return processes.stream().mapToLong(Peak::bytes).sum();
  }

  /** The largest sum that was seen, and its parts; empty on systems without /proc. */
  Optional<String> text() {
    if (sum(largest) == 0) {
      return Optional.empty();
    }
    String parts =
        largest.stream()
            .map(
                each -> String.format(Locale.ROOT, "%s %.0f", each.name(), each.bytes() / MEBIBYTE))
            .collect(Collectors.joining(", "));
    return Optional.of(
        String.format(Locale.ROOT, "%.1f GiB (MiB: %s)", sum(largest) / GIBIBYTE, parts));
  }

  private static long peak(long pid) {
    return read(pid, "status")
        .lines()
        .filter(line -> line.startsWith(FIELD))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE)
        .sum();
  }

  /** The simple name of its main class. */
  private static String name(long pid) {
    return Stream.of(read(pid, "cmdline").split("\0", -1))
        .filter(argument -> argument.startsWith(PACKAGE))
        .map(argument -> argument.substring(argument.lastIndexOf('.') + 1))
        .findFirst()
        .orElse("process " + pid);
  }

  /** A file of a process; empty when the process has exited meanwhile, and without /proc. */
  private static String read(long pid, String file) {
    try {
      return Files.readString(
          Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
